import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { describe, expect, test } from "vitest";
import { isAlive, program } from "./support/dev-process.ts";
import { DriverMachine, PROPERTY_OF } from "./support/driver-machine.ts";

/** A driver that says something and writes an event log where it is told to. */
const DRIVER = `${PROPERTY_OF}
import { mkdirSync, writeFileSync } from "node:fs";
const id = property("spark.app.id");
const folder = property("spark.eventLog.dir").replace("file:", "") + "/eventlog_v2_" + id;
mkdirSync(folder);
writeFileSync(folder + "/appstatus_" + id, "");
writeFileSync(folder + "/events_1_" + id, '{"Event":"SparkListenerLogStart","Spark Version":"4.3.0"}\\n');
console.log("the answer is 42");
`;

/** A driver that runs until it is ended. */
const ENDLESS = `console.log("it has begun"); setInterval(() => undefined, 1000);`;

const WITHOUT_WAITING = ["--conf", "spark.kubernetes.submission.waitAppCompletion=false"];

interface ListedRun {
  readonly name: string;
  readonly state: string;
  readonly eventLog?: string;
}

/** What `kindling history` lists, with the kubeconfig alone. */
async function listed(machine: DriverMachine): Promise<readonly ListedRun[]> {
  const { code, stdout, stderr } = await machine.withKubeconfig("history", "-o", "json");
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { items: ListedRun[] }).items;
}

/** Each of these tests runs many commands, one after the other. */
const LONG = { timeout: 240_000 };

async function deletePods(machine: DriverMachine): Promise<void> {
  const kubeconfigPath = join(machine.state, "kubeconfig");
  const client = createKubeClient(await loadClusterAccess({ kubeconfigPath }), { namespace: "default" });
  const { items } = await client.listAll(resources.pods);
  for (const { metadata } of items) await client.delete(resources.pods, metadata?.name ?? "");
  client.close();
}

/** The behaviour of Spark's history server: it shows the event logs in its folder, at its own address. */
const HISTORY_SERVER = `
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
const [, folder] = /logDirectory=file:(\\S+)/.exec(process.env.SPARK_HISTORY_OPTS);
const server = createServer((_, response) => response.end(readdirSync(folder, { recursive: true }).sort().join("\\n")));
server.listen(18080, process.env.SPARK_LOCAL_IP);
`;

test("Spark's web UI of an application that has ended is a history server over what is kept", LONG, async () => {
  const machine = new DriverMachine(DRIVER);
  program(join(machine.spark, "bin", "spark-class"), `exec '${process.execPath}' /opt/spark/data/server.mjs`);
  mkdirSync(join(machine.spark, "data"));
  writeFileSync(join(machine.spark, "data", "server.mjs"), HISTORY_SERVER);
  await machine.dev("up");
  expect(await machine.submit("etl")).toMatchObject({ code: 0 });
  await expect.poll(() => listed(machine)).toHaveLength(1);
  await machine.dev("down");
  await machine.dev("up");

  const ui = machine.startKindling("ui", "etl", "--port", "0");
  const [uri = "", id] = /http:\S+\/history\/(\S+)\/jobs\//.exec(await ui.saying("/jobs/")) ?? [];
  expect(await (await fetch(uri)).text()).toContain(`eventlog_v2_${id}/events_1_${id}`);
  ui.child.kill("SIGINT");
  await ui.ended;
  const folder = join(machine.folder, "downloaded");
  expect(await machine.withKubeconfig("ui", "--download", folder, "etl")).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, `eventlog_v2_${id}`)).toSorted()).toEqual([`appstatus_${id}`, `events_1_${id}`]);
});

describe("kindling dev starts", () => {
  test("where nothing can be kept, and says so", LONG, async () => {
    const machine = new DriverMachine(`console.log("it runs");`);
    mkdirSync(machine.state, { recursive: true });
    writeFileSync(join(machine.state, "archive"), "not a folder");
    const up = await machine.dev("up");
    expect(up.code, up.stderr).toBe(0);
    expect(up.stderr).toMatch(/^note: applications run, but nothing is kept of those that have ended: .*archive/);
    expect((await machine.dev("status")).stdout).toMatch(/^history +none is kept: .*archive/m);
    expect(await machine.submit("etl", "--logs")).toMatchObject({ code: 0, stdout: "it runs\n" });
    expect((await machine.withKubeconfig("history")).stderr).toContain("no recorder is known");
  });

  test("over an archive that holds what it does not know, and leaves that alone", LONG, async () => {
    const machine = new DriverMachine(DRIVER);
    const later = join(machine.state, "archive", "v2", "runs");
    const day = join(machine.state, "archive", "v1", "index", "default", "2026-11-01");
    for (const folder of [later, day]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(later, "one.bin"), "of a later version");
    const run = { namespace: "default", name: "later", format: 7 };
    writeFileSync(join(day, "one.jsonl"), `${JSON.stringify(run)}\n{"cut off\n`);
    expect(await machine.dev("up")).toMatchObject({ code: 0, stderr: "" });
    expect(await listed(machine)).toEqual([]);
    await machine.dev("down");
    expect(readFileSync(join(later, "one.bin"), "utf8")).toBe("of a later version");
    expect(readFileSync(join(day, "one.jsonl"), "utf8")).toContain("later");
  });
});

test("applications that have ended are kept no longer than the user says", LONG, async () => {
  const machine = new DriverMachine(DRIVER);
  await machine.dev("up");
  expect(await machine.submit("etl")).toMatchObject({ code: 0 });
  await expect.poll(() => listed(machine)).toHaveLength(1);
  await machine.dev("down");
  await machine.dev("up", "--retention-size", "1");
  await expect.poll(() => listed(machine)).toEqual([]);
  expect(readdirSync(join(machine.state, "archive"), { recursive: true }).join("\n")).not.toContain("eventlog_v2_");
});

test.each([
  ["--retention-age", "soon"],
  ["--retention-size", "-1g"],
])("%s %s is refused", async (flag, value) => {
  const { code, stderr } = await new DriverMachine(DRIVER).dev("up", `${flag}=${value}`);
  expect(code).not.toBe(0);
  expect(stderr).toContain(`${flag} ${value}: must be `);
});

test("what an application said and cost is there when its pods are gone, and after the next start", LONG, async () => {
  const machine = new DriverMachine(DRIVER);
  expect((await machine.dev("up")).stderr).toBe("");
  expect((await machine.dev("status")).stdout).toContain(`history     ${join(machine.state, "archive")}\n`);
  for (const count of [1, 2]) {
    expect(await machine.submit("etl")).toMatchObject({ code: 0 });
    await deletePods(machine);
    await expect.poll(() => listed(machine)).toHaveLength(count);
  }
  await machine.dev("down");
  await machine.dev("up");

  expect(await listed(machine)).toMatchObject([
    { name: "etl", state: "succeeded", eventLog: expect.stringMatching(/^eventlog_v2_/) as string },
    { name: "etl", state: "succeeded" },
  ]);
  const log = await machine.withKubeconfig("logs", "etl");
  expect(log).toMatchObject({ code: 0, stdout: "the answer is 42\n" });
  const status = await machine.withKubeconfig("status", "etl");
  expect(status.stdout, status.stderr).toContain("State        succeeded, exit code 0");
  const diff = await machine.withKubeconfig("diff", "etl");
  expect(diff.stdout, diff.stderr).toContain("their configurations are equal");
  const cost = await machine.withKubeconfig("cost", "--by", "name", "-o", "csv");
  expect(cost.stdout, cost.stderr).toMatch(/^etl,2,/m);
  const all = await machine.withKubeconfig("history", "-A");
  expect(all.stdout, all.stderr).toMatch(/^default +etl /m);
});

test("the log of an application that ran when kindling dev ended is kept", LONG, async () => {
  const machine = new DriverMachine(ENDLESS);
  await machine.dev("up");
  expect(await machine.submit("endless", ...WITHOUT_WAITING)).toMatchObject({ code: 0 });
  await expect.poll(async () => (await machine.withKubeconfig("logs", "endless")).stdout).toBe("it has begun\n");
  await machine.dev("down");
  await machine.dev("up");
  expect(await listed(machine)).toMatchObject([{ name: "endless", state: "failed" }]);
  expect((await machine.withKubeconfig("logs", "endless")).stdout).toBe("it has begun\n");
});

test("after kill -9 in the middle of a run, the next start keeps what was said until then", LONG, async () => {
  const machine = new DriverMachine(ENDLESS);
  await machine.dev("up");
  expect(await machine.submit("endless", ...WITHOUT_WAITING)).toMatchObject({ code: 0 });
  const spool = join(machine.state, "spool");
  const onDisk = (): string =>
    readdirSync(spool, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith("/logs.jsonl"))
      .map((path) => readFileSync(join(spool, path), "utf8"))
      .join("");
  await expect.poll(onDisk).toContain("it has begun");
  const { pid } = await machine.status();
  process.kill(pid, "SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await machine.dev("up")).toMatchObject({ code: 0, stderr: "" });
  await expect.poll(() => listed(machine)).toMatchObject([{ name: "endless", state: "lost" }]);
  expect((await machine.withKubeconfig("logs", "endless")).stdout).toBe("it has begun\n");
});
