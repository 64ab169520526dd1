import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { kindling, start, BIN } from "../fixtures/kindling-process.ts";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { conf, flagsFor } from "../fixtures/submission.ts";

const UPLOAD = conf({ "spark.kubernetes.file.upload.path": "file:/tmp/never" });
const DRY_RUN = ["submit", "--dry-run", ...flagsFor({ url: "https://cluster.example:6443" })];
const APP = ["--class", "Main", "local:///opt/app.jar"];

/** Everything that a submission reads, by the flags that make it read a file. */
const READERS: readonly (readonly [string, (path: string) => readonly string[]])[] = [
  ["a properties file", (path) => ["--properties-file", path, ...APP]],
  ["the driver's template", (path) => [...conf({ "spark.kubernetes.driver.podTemplateFile": path }), ...APP]],
  ["the executors' template", (path) => [...conf({ "spark.kubernetes.executor.podTemplateFile": path }), ...APP]],
  [
    "Volcano's template",
    (path) => [
      ...conf({
        "spark.kubernetes.driver.pod.featureSteps": "org.apache.spark.deploy.k8s.features.VolcanoFeatureStep",
        "spark.kubernetes.scheduler.volcano.podGroupTemplateFile": path,
      }),
      ...APP,
    ],
  ],
  ["krb5.conf", (path) => [...conf({ "spark.kubernetes.kerberos.krb5.path": path }), ...APP]],
  ["a jar", (path) => [...UPLOAD, path]],
];

async function pipeIn(folder: ScratchFolder): Promise<string> {
  const path = join(folder.path, "pipe");
  expect(spawnSync("mkfifo", [path]).status).toBe(0);
  return path;
}

async function socketIn(folder: ScratchFolder): Promise<string> {
  const path = join(folder.path, "socket");
  const server = createServer().listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return path;
}

const UNFIT: readonly (readonly [string, (folder: ScratchFolder) => Promise<string>])[] = [
  ["a pipe", pipeIn],
  ["a socket", socketIn],
  ["an endless device", () => Promise.resolve("/dev/zero")],
  ["a terminal", () => Promise.resolve("/dev/tty")],
  ["a directory", (folder) => Promise.resolve(folder.mkdir("directory"))],
];

describe.each(READERS)("%s", (_, flags) => {
  test.each(UNFIT)("that is %s is refused, and never waited for", async (_what, make) => {
    const folder = scratchFolder();
    const path = await make(folder);
    const { code, stdout, stderr } = await kindling([...DRY_RUN, ...flags(path)], { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: \S/);
    expect(stderr).toContain(path);
    expect(stderr).not.toMatch(/fault of kindling/);
  });
});

describe.each(READERS.slice(0, -1))("%s of more than 1 MiB", (_, flags) => {
  test("is refused with the limit", async () => {
    const path = scratchFolder().write("large", "#".repeat(1024 * 1024 + 1));
    const { code, stderr } = await kindling([...DRY_RUN, ...flags(path)]);
    expect(code).toBe(1);
    expect(stderr).toContain(path);
    expect(stderr).toContain("larger than 1048576 bytes");
  });
});

describe("files of the surroundings", () => {
  test("of which one is a pipe are passed over or refused, and never waited for", async () => {
    const folder = scratchFolder();
    const pipe = await pipeIn(folder);
    for (const name of ["spark-defaults.conf", "spark-env.sh", "log4j2.properties", "core-site.xml"]) {
      spawnSync("ln", ["-s", pipe, join(folder.path, name)]);
    }
    const env = { SPARK_CONF_DIR: folder.path, HADOOP_CONF_DIR: folder.path };
    const { code, stderr } = await kindling([...DRY_RUN, ...APP], { env });
    expect(code, stderr).toBe(0);
  });

  test("that do not fit into an object are refused before anything is created", async () => {
    const folder = scratchFolder({ "a.xml": "<a/>".repeat(200_000), "b.xml": "<b/>".repeat(200_000) });
    const { code, stderr } = await kindling([...DRY_RUN, ...APP], { env: { HADOOP_CONF_DIR: folder.path } });
    expect(code).toBe(1);
    expect(stderr).toContain(
      `HADOOP_CONF_DIR: the files in ${folder.path} have 1600000 bytes, and a ConfigMap holds 1048576`,
    );
  });

  test("such as a kubeconfig, a token and a CA are refused with a reason", async () => {
    const folder = scratchFolder();
    const pipe = await pipeIn(folder);
    for (const [env, flags] of [
      [{ KUBECONFIG: pipe }, []],
      [{ KUBECONFIG: "/dev/zero" }, []],
      [{}, conf({ "spark.kubernetes.authenticate.submission.oauthTokenFile": pipe })],
      [{}, conf({ "spark.kubernetes.authenticate.submission.caCertFile": "/dev/zero" })],
    ] as const) {
      const { code, stderr } = await kindling(["list", "--master", "k8s://https://127.0.0.1:1", ...flags], { env });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: .* cannot be read \(it is not a regular file\)/);
    }
  });
});

describe("a pipe that the shell hands over", () => {
  const inShell = (line: string): ReturnType<typeof kindling> =>
    start("bash", ["-c", line, process.execPath, BIN, ...DRY_RUN], {}).ended;

  test.each([
    ["a properties file", `"$0" "$@" --properties-file <(sleep 0.3; echo spark.my.key=of-the-pipe) ${APP.join(" ")}`],
    [
      "a properties file of standard input",
      `echo spark.my.key=of-the-pipe | "$0" "$@" --properties-file /dev/stdin ${APP.join(" ")}`,
    ],
    [
      "a template",
      `"$0" "$@" --conf spark.kubernetes.driver.podTemplateFile=<(echo '{"spec":{},"metadata":{"labels":{"a":"of-the-pipe"}}}') ${APP.join(" ")}`,
    ],
  ])("is read as %s", async (_, line) => {
    const { code, stdout, stderr } = await inShell(line);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("of-the-pipe");
  });

  test("is read up to the limit", async () => {
    const { code, stderr } = await inShell(`"$0" "$@" --properties-file <(yes) ${APP.join(" ")}`);
    expect(code).toBe(1);
    expect(stderr).toContain("larger than 1048576 bytes");
  });

  test("may be a kubeconfig", async () => {
    const config = `{"apiVersion":"v1","clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:1"}}],"contexts":[{"name":"x","context":{"cluster":"c"}}],"current-context":"x"}`;
    const { stderr } = await start(
      "bash",
      ["-c", `KUBECONFIG=<(sleep 0.2; echo '${config}') "$0" "$@" list`, process.execPath, BIN],
      {},
    ).ended;
    expect(stderr).toContain("cannot reach http://127.0.0.1:1");
  });
});

test("/dev/null is an empty file", async () => {
  const { code, stderr } = await kindling([...DRY_RUN, "--properties-file", "/dev/null", ...APP]);
  expect(code, stderr).toBe(0);
});

test("a pipe among files to upload is refused, in a folder too", async () => {
  const folder = scratchFolder({ "app/a.txt": "" });
  await pipeIn({ ...folder, path: join(folder.path, "app") });
  const target = folder.mkdir("target");
  const flags = conf({
    "spark.kubernetes.file.upload.path": `file:${target}`,
    "spark.kindling.installation": "none",
  });
  const args = ["submit", ...flagsFor({ url: "http://127.0.0.1:1" }), ...flags];
  for (const app of [["--class", "M", "app"], ["app/pipe.py"], ["--class", "M", "app/pipe"]]) {
    const { code, stderr } = await kindling([...args, ...app], { cwd: folder.path });
    expect(code).toBe(1);
    expect(stderr).toMatch(/neither a regular file nor a directory|does not exist/);
  }
});
