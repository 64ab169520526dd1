import { execFile, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { DECOMMISSION, ENTRYPOINT } from "../../../src/images/spark/container-scripts.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { program, sparkFolder } from "../support/spark-folder.ts";

const run = promisify(execFile);

/** The entry point as a process, with a Spark and a Java that print their command lines. */
let start: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string[]>;
let script: string;
let home: string;
let java: string;

beforeEach(() => {
  home = sparkFolder("4.3.0");
  java = scratchFolder().path;
  program(join(java, "bin", "java"), 'printf "%s\\n" "$@"');
  script = join(scratchFolder().path, "entrypoint.sh");
  writeFileSync(script, ENTRYPOINT, { mode: 0o755 });
  start = async (args, env = {}) => {
    const { stdout } = await run(script, args, {
      cwd: home,
      env: { PATH: "/usr/bin:/bin", SPARK_HOME: home, JAVA_HOME: java, ...env },
    });
    return stdout.split("\n").slice(0, -1);
  };
});

test("a driver is spark-submit in client mode, at the pod's address", async () => {
  const args = ["driver", "--class", "a.Main", "local:///a.jar", "two words", ""];
  expect(await start(args, { SPARK_DRIVER_BIND_ADDRESS: "10.1.2.3" })).toEqual([
    ...["--conf", "spark.driver.bindAddress=10.1.2.3", "--conf", "spark.executorEnv.SPARK_DRIVER_POD_IP=10.1.2.3"],
    ...["--conf", "spark.connect.grpc.binding.address=10.1.2.3", "--deploy-mode", "client", ...args.slice(1)],
  ]);
});

test("a driver is told where the API server is, if that is not at the port where Spark looks", async () => {
  const driver = async (port: string): Promise<string[]> =>
    await start(["driver"], { SPARK_DRIVER_BIND_ADDRESS: "10.1.2.3", KUBERNETES_SERVICE_PORT_HTTPS: port });
  expect(await driver("6443")).toContain("spark.kubernetes.driver.master=https://kubernetes.default.svc:6443");
  expect((await driver("443")).join()).not.toContain("spark.kubernetes.driver.master");
});

test("a driver and an executor listen at the pod's own address, unless they are told otherwise", async () => {
  const script = 'printf "%s\\n" "$SPARK_LOCAL_IP"';
  program(join(home, "bin", "spark-submit"), script);
  program(join(java, "bin", "java"), script);
  expect(await start(["driver"], { SPARK_DRIVER_BIND_ADDRESS: "10.1.2.3" })).toEqual(["10.1.2.3"]);
  expect(await start(["executor"], { SPARK_EXECUTOR_POD_IP: "10.1.2.4" })).toEqual(["10.1.2.4"]);
  const own = { SPARK_EXECUTOR_POD_IP: "10.1.2.4", SPARK_LOCAL_IP: "0.0.0.0" };
  expect(await start(["executor"], own)).toEqual(["0.0.0.0"]);
});

describe("an executor", () => {
  const pod = {
    SPARK_EXECUTOR_MEMORY: "512m",
    SPARK_DRIVER_URL: "spark://driver:7078",
    SPARK_EXECUTOR_ID: "7",
    SPARK_EXECUTOR_CORES: "2",
    SPARK_APPLICATION_ID: "spark-1",
    SPARK_EXECUTOR_POD_IP: "10.1.2.4",
    SPARK_RESOURCE_PROFILE_ID: "3",
    SPARK_EXECUTOR_POD_NAME: "words-exec-7",
    SPARK_CONF_DIR: "/opt/spark/conf",
  };

  test("is the backend's JVM, with what the pod says", async () => {
    expect(await start(["executor"], pod)).toEqual([
      ...["-Xms512m", "-Xmx512m", "-cp", `/opt/spark/conf::${home}/jars/*:${home}:`],
      "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend",
      ...["--driver-url", "spark://driver:7078", "--executor-id", "7", "--cores", "2", "--app-id", "spark-1"],
      ...["--hostname", "10.1.2.4", "--resourceProfileId", "3", "--podName", "words-exec-7"],
    ]);
  });

  test("gets Java options in the order of their numbers, as they are", async () => {
    const options = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`SPARK_JAVA_OPT_${i}`, `-Dkey${i}=a b "c"`]),
    );
    expect((await start(["executor"], { ...pod, ...options })).slice(0, 12)).toEqual(Object.values(options));
  });

  test("has Hadoop's configuration before Spark's jars and what the user adds after them", async () => {
    const env = {
      ...pod,
      HADOOP_CONF_DIR: "/hadoop",
      SPARK_EXTRA_CLASSPATH: "/extra.jar",
      SPARK_DIST_CLASSPATH: "/dist/*",
    };
    expect((await start(["executor"], env))[3]).toBe(
      `/opt/spark/conf:/hadoop::${home}/jars/*:/extra.jar:${home}:/dist/*`,
    );
  });
});

test("any other command is run as it is, and its exit code is the container's", async () => {
  expect(await start(["echo", "two words", "*"])).toEqual(["two words *"]);
  await expect(start(["sh", "-c", "exit 3"])).rejects.toMatchObject({ code: 3 });
});

const FIRST_PROCESS = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"] as const;
const mayBeFirst = spawnSync(FIRST_PROCESS[0], [...FIRST_PROCESS.slice(1), "true"]).status === 0;

test.runIf(mayBeFirst)(
  "what runs can be killed by its own processes, though its container begins with it",
  async () => {
    const [command, ...args] = [...FIRST_PROCESS, script, "sh", "-c", "sh -c 'kill -KILL $PPID'; exit 3"];
    await expect(run(command, args)).rejects.toMatchObject({ code: 137 });
  },
);

test("what runs ends in its own time when the container is asked to", async () => {
  const running = "trap 'sleep 0.2; exit 42' TERM; echo up; while :; do sleep 0.05; done";
  // Several runs, because the program's first output may come before the script is ready for signals.
  const ends = Array.from({ length: 20 }, () => {
    const child = spawn(script, ["sh", "-c", running], { env: { PATH: "/usr/bin:/bin" } });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdout.once("data", () => child.kill("SIGTERM"));
    return new Promise((resolve) => child.on("close", resolve));
  });
  expect(new Set(await Promise.all(ends))).toEqual(new Set([42]));
});

test.runIf(process.platform === "linux")(
  "decommissioning signals the executor of this pod and no other, and waits for it",
  async () => {
    const script = join(scratchFolder().path, "decom.sh");
    writeFileSync(script, DECOMMISSION, { mode: 0o755 });
    // The name of a process is that of its file; for a script, it is that of the script.
    const file = join(scratchFolder().path, "java");
    writeFileSync(file, '#!/bin/sh\ntrap "exit 42" PWR\necho up\nwhile :; do sleep 0.05; done\n', { mode: 0o755 });
    const processOf = async (name: string): Promise<{ ended: Promise<number | null>; isRunning: () => boolean }> => {
      const child = spawn(file, { env: { PATH: "/usr/bin:/bin", SPARK_EXECUTOR_POD_NAME: name } });
      onTestFinished(() => void child.kill("SIGKILL"));
      await new Promise((resolve) => child.stdout.once("data", resolve));
      const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
      return { ended, isRunning: () => child.exitCode === null };
    };
    const [mine, other] = await Promise.all([processOf("words-exec-1"), processOf("words-exec-10")]);
    await run(script, [], { env: { PATH: "/usr/bin:/bin", SPARK_EXECUTOR_POD_NAME: "words-exec-1" } });
    expect(await mine.ended).toBe(42);
    expect(other.isRunning()).toBe(true);
  },
);
