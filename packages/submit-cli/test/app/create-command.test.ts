import { beforeEach, expect, test } from "vitest";
import { stringify } from "yaml";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { kindling } from "../fixtures/kindling-process.ts";
import { application, OperatedCluster, schedule } from "../fixtures/operated-cluster.ts";

let operated: OperatedCluster;

beforeEach(async () => {
  operated = await OperatedCluster.start();
});

const file = (...objects: object[]): string =>
  scratchFolder().write("objects.yaml", objects.map((one) => stringify(one)).join("---\n"));

test("all objects of files are created, of both kinds, in YAML and JSON", async () => {
  const json = scratchFolder().write("one.json", JSON.stringify(application("one", {}, { namespace: "elsewhere" })));
  const { code, stdout, stderr } = await operated.run(["create", file(application("pi"), schedule("nightly")), json]);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: "created spark-jobs:pi\ncreated spark-jobs:nightly\ncreated elsewhere:one\n",
    stderr: "",
  });
  expect((await operated.stored("pi")).spec).toMatchObject({ sparkVersion: "4.0.4", driver: { cores: 1 } });
  expect((await operated.stored("nightly", "scheduledsparkapplications")).spec).toMatchObject({
    schedule: "0 3 * * *",
  });
});

test("a file gives an object another name, in the namespace that is asked for", async () => {
  const path = file(application("pi"));
  const { stdout } = await operated.run(["create", path, "--name", "other", "-n", "elsewhere", "-o", "json"]);
  expect(JSON.parse(stdout)).toMatchObject([
    { result: "created", kind: "SparkApplication", namespace: "elsewhere", name: "other", state: "" },
  ]);
  const generated = await operated.run([
    "create",
    file(application("x", {}, { name: undefined, generateName: "pi-" })),
  ]);
  expect(generated.stdout).toMatch(/^created spark-jobs:pi-\w+\n$/);
});

test("a file that is not there, or is too large, is told of; the standard input is a file", async () => {
  const folder = scratchFolder({ "large.yaml": "x".repeat(4 * 1024 * 1024 + 1) });
  const run = async (path: string): Promise<string> => (await operated.run(["create", path])).stderr;
  expect(await run(`${folder.path}/absent.yaml`)).toMatch(
    /^error: \/.*\/absent\.yaml does not exist\nhint: correct the path/,
  );
  expect(await run(`${folder.path}/large.yaml`)).toMatch(/^error: .*\/large\.yaml: it is larger than 4194304 bytes/);
  expect((await operated.run(["create"])).stderr).toMatch(/^error: no file is named;.*\nhint: /);
  // The command's input is empty.
  const piped = await kindling(["app", "create", "-"], { env: operated.env });
  expect(piped.stderr).toMatch(/^error: the standard input: there is no object in it\n/);
});

test("a folder stands for the files right in it, in the order of their names", async () => {
  const folder = scratchFolder({
    "b.yml": stringify(application("second")),
    "a.yaml": stringify(application("first")),
    "notes.txt": "no object",
    "more/c.yaml": stringify(application("third")),
  });
  expect(await operated.run(["create", folder.path])).toMatchObject({
    code: 0,
    stdout: "created spark-jobs:first\ncreated spark-jobs:second\n",
  });
  expect((await operated.run(["create", scratchFolder({ "notes.txt": "" }).path])).stderr).toMatch(
    /^error: .*: the folder has no \*\.yaml, \*\.yml or \*\.json file\n/,
  );
});

test("a key that stands twice is taken with its last value, and told of", async () => {
  const text = stringify(application("pi")).replace(/^spec:\n/m, "spec:\n  image: first\n  image: second\n");
  const { code, stderr } = await operated.run(["create", scratchFolder().write("twice.yaml", text)]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(
      /twice\.yaml: spec\.image stands \w+( times)?, on lines \d+.*; the last one counts\n$/,
    ),
  });
});

test("what exists already stays, and the error says what to do", async () => {
  const path = file(application("pi"));
  await operated.run(["create", path]);
  expect(await operated.run(["create", path])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "error: spark-jobs:pi exists already as a SparkApplication\n" +
      "hint: kindling app rerun spark-jobs:pi runs it again, kubectl apply changes it; or take another name with --name\n",
  });
});

test.each<[string, object[], string[], RegExp]>([
  [
    "another kind",
    [{ ...application("x"), kind: "Job" }],
    [],
    /is a "Job", and no SparkApplication or Scheduled.*\nhint: kubectl create/,
  ],
  [
    "an old version",
    [{ ...application("x"), apiVersion: "sparkoperator.k8s.io/v1beta1" }],
    [],
    /"sparkoperator.k8s.io\/v1beta1"; it must be/,
  ],
  ["no name", [application("x", {}, { name: undefined })], [], /has no metadata\.name/],
  ["a bad name", [application("Pi.x")], [], /"Pi\.x" cannot be an application's name/],
  [
    "another namespace",
    [application("x", {}, { namespace: "elsewhere" })],
    ["-n", "spark-jobs"],
    /is for namespace "elsewhere"/,
  ],
  [
    "one name for two",
    [application("x"), application("y")],
    ["--name", "z"],
    /--name z is for one object; there are 2/,
  ],
  ["a schedule's end", [schedule("x")], ["--wait"], /--wait is for SparkApplications/],
])("%s is refused, and nothing is created", async (_, objects, flags, expected) => {
  const { code, stdout, stderr } = await operated.run(["create", file(application("first"), ...objects), ...flags]);
  const alone = await operated.run(["create", file(...objects), ...flags]);
  expect([code, alone.code, stdout]).toEqual([1, 1, ""]);
  expect(alone.stderr).toMatch(expected);
  expect(stderr.split("\n")).toHaveLength(stderr.includes("hint:") ? 3 : 2);
  expect(operated.cluster.api.writes).toEqual([]);
});

test("--from makes a run of a schedule now, which is the schedule's own", async () => {
  const { metadata } = await operated.apply(schedule("nightly", {}, { labels: { team: "data" } }));
  const { stdout } = await operated.run(["create", "--from", "nightly", "-o", "name"]);
  const [, name = ""] = /^spark-jobs:(nightly-\d{13})\n$/.exec(stdout) ?? [];
  const run = await operated.stored(name);
  expect(run.metadata.labels).toEqual({ team: "data", "sparkoperator.k8s.io/scheduled-app-name": "nightly" });
  expect(run.metadata.ownerReferences).toMatchObject([{ kind: "ScheduledSparkApplication", uid: metadata.uid }]);
  expect(run.spec).toMatchObject({ mainClass: "org.apache.spark.examples.SparkPi" });
  const named = await operated.run(["create", "--from", "spark-jobs:nightly", "--name", "by-hand"]);
  expect(named.stdout).toBe("created spark-jobs:by-hand\n");
  const missing = await operated.run(["create", "--from", "by-hand"]);
  expect(missing.stderr).toBe(
    'error: no ScheduledSparkApplication in namespace spark-jobs is called "by-hand"\n' +
      "hint: a SparkApplication is called so: leave --scheduled out\n",
  );
});

test("--wait follows to the end, with the states, and the driver's exit code", async () => {
  const running = operated.startApp(["create", file(application("pi"), application("etl")), "--wait", "-o", "json"]);
  const driver = await eventually(async () => {
    await operated.stored("etl");
    return await operated.cluster.createPod(sparkPod("etl-driver"));
  });
  for (const name of ["pi", "etl"]) {
    await operated.tellState(name, "SUBMITTED");
    await running.saying(`SUBMITTED spark-jobs:${name}`);
    await operated.tellState(name, "RUNNING");
    await running.saying(`RUNNING spark-jobs:${name}`);
  }
  operated.cluster.end(driver, 3);
  await operated.cluster.inPhase(driver, "Failed");
  await operated.tellState("pi", "COMPLETED");
  await operated.tellState("etl", "FAILED", "driver container failed with ExitCode: 3, Reason: Error");
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject([
    { result: "completed", exitCode: 0, name: "pi", state: "COMPLETED" },
    { result: "failed", exitCode: 3, name: "etl", state: "FAILED" },
  ]);
  expect(stderr).toContain("FAILED spark-jobs:etl: driver container failed with ExitCode: 3, Reason: Error\n");
  expect(stderr).toMatch(/^failed: /m);
});

test("--wait says that no operator is there, that one is suspended, and that one was deleted", async () => {
  const running = operated.startApp(["create", file(application("pi", { suspend: true })), "--wait"]);
  await running.saying("note: no operator has looked at spark-jobs:pi yet");
  await operated.tellState("pi", "SUSPENDED");
  await running.saying("note: kindling app resume spark-jobs:pi lets it run");
  expect((await operated.run(["delete", "pi"])).stdout).toBe("deleted spark-jobs:pi\n");
  const { code, stderr } = await running.ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^deleted spark-jobs:pi before it ended$/m);
});

test("an interrupt of --wait leaves the application alone", async () => {
  const running = operated.startApp(["create", file(application("pi")), "--wait"]);
  await eventually(() => operated.tellState("pi", "RUNNING"));
  await running.saying("RUNNING");
  running.interrupt();
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain(
    "Interrupted; the application goes on.\n  follow it: kindling app status -w spark-jobs:pi\n",
  );
  expect((await operated.stored("pi")).metadata.name).toBe("pi");
});

test("secrets of the configuration are not told, whoever quotes them", async () => {
  const sparkConf = { "spark.hadoop.fs.s3a.secret.key": "hunter2-hunter2" };
  const running = operated.startApp(["create", file(application("pi", { sparkConf })), "--wait"]);
  await eventually(() => operated.tellState("pi", "FAILED", "failed to run spark-submit: key hunter2-hunter2"));
  const { stderr } = await running.ended;
  expect(stderr).toContain("failed to run spark-submit: key ***");
});
