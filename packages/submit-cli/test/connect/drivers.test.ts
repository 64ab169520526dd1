import { ManualClock } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { beforeEach, describe, expect, test } from "vitest";
import { aSparkPod, sparkPod } from "../fixtures/driver-pod.ts";
import { kindling, kubeconfigFor } from "../fixtures/kindling-process.ts";

const PROFILE = "connect.kindling/profile";
const ALICE = "system:serviceaccount:spark-jobs:alice";

let cluster: TestCluster;
let env: { KUBECONFIG: string };

/** A driver as kindling-connect makes it. */
function driver(name: string, profile: string, user?: string): Promise<unknown> {
  const labels = { [PROFILE]: profile, ...(user !== undefined && { "connect.kindling/key": "k" }) };
  const pod = aSparkPod(name, { app: name, labels });
  return cluster.createPod((user === undefined ? pod : pod.annotations({ "connect.kindling/user": user })).build());
}

beforeEach(async () => {
  cluster = await TestCluster.start({ clock: new ManualClock(Date.UTC(2026, 0, 1)) });
  env = { KUBECONFIG: kubeconfigFor(cluster) };
  cluster.script = () => ({ log: ["Spark Connect server started"] });
  await driver("connect-small-1", "small", ALICE);
  await driver("connect-small-2", "small");
  await driver("connect-large-1", "large", "bob");
  await cluster.createPod(
    sparkPod("connect-small-1-exec-1", { role: "executor", app: "connect-small-1", labels: { [PROFILE]: "small" } }),
  );
  await cluster.createPod(sparkPod("etl-driver", { app: "etl" }));
  const other = aPod("connect-sail-1")
    .in("elsewhere")
    .labels({ [PROFILE]: "sail" })
    .container("server");
  await cluster.createPod(other.build());
});

async function connect(...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return await kindling(["connect", ...args], { env });
}

describe("kindling connect ls", () => {
  test("shows the drivers of sessions, and those that wait for one", async () => {
    const { code, stdout, stderr } = await connect("ls");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^NAME +PROFILE +USER +STATE +EXECUTORS +AGE$/),
      expect.stringMatching(/^connect-large-1 +large +bob +Running +0 +\d+d$/),
      expect.stringMatching(/^connect-small-1 +small +system:serviceaccount:spark-jobs:alice +Running +1 +\d+d$/),
      expect.stringMatching(/^connect-small-2 +small +waiting +Running +0 +\d+d$/),
    ]);
  });

  test("shows those of all namespaces, also of engines that have no executors", async () => {
    const { stdout } = await connect("ls", "-A", "-o", "wide");
    expect(stdout).toMatch(/^NAMESPACE .* SPARK +APPLICATION ID$/m);
    expect(stdout).toMatch(/^elsewhere +connect-sail-1 +sail +waiting +Running +\d+d$/m);
    expect(stdout).toMatch(/^spark-jobs +connect-small-1 .* 4\.3\.0 +spark-connect-small-1$/m);
  });

  test("gives names and data of those that are chosen", async () => {
    expect((await connect("ls", "--profile", "small", "-o", "name")).stdout).toBe(
      "spark-jobs:connect-small-1\nspark-jobs:connect-small-2\n",
    );
    const { stdout } = await connect("ls", "--user", ALICE, "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ apiVersion: "connect.kindling/v1", kind: "DriverList" },
      items: [{ name: "connect-small-1", profile: "small", isTaken: true, user: ALICE, executors: { total: 1 } }],
    });
  });

  test("says that there are none", async () => {
    const { code, stdout, stderr } = await connect("ls", "--profile", "other");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe(
      "no drivers of sessions found in namespace spark-jobs\nhint: kindling connect ls -A shows those of all namespaces\n",
    );
  });
});

describe("kindling connect stop", () => {
  test("ends one driver", async () => {
    expect(await connect("stop", "connect-small-1")).toEqual({
      ...{ code: 0, stdout: "stopped spark-jobs:connect-small-1\n", stderr: "" },
    });
    await expect.poll(() => cluster.contents()).not.toContain("Pod/connect-small-1");
    expect(await cluster.contents()).toContain("Pod/connect-small-2");
  });

  test("ends those of a user", async () => {
    expect((await connect("stop", "--user", "bob")).stdout).toBe("stopped spark-jobs:connect-large-1\n");
  });

  test("asks before more than one, and --yes answers", async () => {
    expect(await connect("stop", "--profile", "small")).toEqual({
      ...{ code: 1, stdout: "" },
      stderr: `error: 2 drivers of ${ALICE} would be stopped\nhint: --yes stops them without a question\n`,
    });
    expect((await connect("stop", "--profile", "small", "--yes")).stdout).toBe(
      "stopped spark-jobs:connect-small-1\nstopped spark-jobs:connect-small-2\n",
    );
  });

  test.each([
    [["etl-driver"], 'no driver of sessions in namespace spark-jobs is called "etl-driver"'],
    [["connect-small-1", "connect-smal-2"], 'no driver of sessions in namespace spark-jobs is called "connect-smal-2"'],
    [[], "which driver?"],
    [["connect-small-1", "--user", "bob"], "name drivers, or choose them by --user and --profile: not both"],
  ])("refuses %j, and ends nothing", async (args, fault) => {
    const { code, stdout, stderr } = await connect("stop", ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`error: ${fault}\n`);
    expect(cluster.api.writes).toEqual([]);
  });
});

test("kindling connect logs shows the log of a driver, also of another engine", async () => {
  const shown = { code: 0, stdout: "Spark Connect server started\n", stderr: "" };
  expect(await connect("logs", "connect-small-1")).toEqual(shown);
  expect(await connect("logs", "elsewhere:connect-sail-1")).toEqual(shown);
  expect((await connect("logs", "connect-small-9")).stderr).toContain("connect-small-9");
});

test("a shell is offered the commands and the drivers", async () => {
  const offered = async (...words: readonly string[]): Promise<string[]> =>
    (await kindling(["complete", "connect", "--", ...words], { env })).stdout.split("\n").filter((one) => one !== "");
  expect(await offered("connect", "")).toEqual(["logs", "ls", "stop"]);
  expect(await offered("kindling", "connect")).toEqual(["logs", "ls", "stop"]);
  expect(await offered("connect", "stop", "-n", "elsewhere", "")).toEqual(["connect-sail-1"]);
  expect(await offered("connect", "ls", "")).toEqual([]);
});
