import { beforeEach, describe, expect, test } from "vitest";
import { aSparkPod, sparkPod } from "../fixtures/driver-pod.ts";
import { kindling, kubeconfigFor } from "../fixtures/kindling-process.ts";
import { TestCluster } from "@kindling/test-cluster/test-cluster";

let cluster: TestCluster;
let master: string[];

beforeEach(async () => {
  cluster = await TestCluster.start();
  master = ["--master", `k8s://${cluster.url}`];
  const pods = [
    ...["etl-1-driver", "etl-2-driver", "web-1-driver"].map((name) => sparkPod(name)),
    sparkPod("etl-3-driver", { namespace: "elsewhere" }),
    sparkPod("etl-1-exec-1", { role: "executor", app: "etl-1-driver" }),
  ];
  await Promise.all(pods.map((pod) => cluster.createPod(pod)));
});

/** The deleted pods, with their grace periods. */
function deleted(): [string, unknown][] {
  return cluster.api.writes.map(({ path, body }) => [
    path.replace("/api/v1/namespaces/", "").replace("/pods/", ":"),
    (body as { gracePeriodSeconds?: number }).gracePeriodSeconds,
  ]);
}

describe("kindling kill", () => {
  test("ends one application", async () => {
    const { code, stdout, stderr } = await kindling(["kill", ...master, "spark-jobs:etl-1-driver"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "killed spark-jobs:etl-1-driver\n", stderr: "" });
    expect(deleted()).toEqual([["spark-jobs:etl-1-driver", undefined]]);
    await expect.poll(() => cluster.contents()).not.toContain("Pod/etl-1-driver");
  });

  test("ends all whose driver's name begins alike, in their namespace, and no executors of others", async () => {
    const { code, stdout } = await kindling(["kill", ...master, "spark-jobs:etl-*"]);
    expect(code).toBe(0);
    expect(stdout).toBe("killed spark-jobs:etl-1-driver\nkilled spark-jobs:etl-2-driver\n");
    await expect.poll(() => cluster.contents()).toEqual(["Pod/etl-1-exec-1", "Pod/etl-3-driver", "Pod/web-1-driver"]);
  });

  test("says before that the gateway is not to start it again, and lets it go without one", async () => {
    const driver = aSparkPod("stream-driver")
      .annotations({ "scheduler.kindling/driver-restart": "always" })
      .finalizers("scheduler.kindling/restart", "example.com/other");
    await cluster.createPod(driver.build());
    const { code, stderr } = await kindling(["kill", ...master, "spark-jobs:stream-driver"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(cluster.api.writes.map(({ method, body }) => [method, body])).toMatchObject([
      [
        "PATCH",
        {
          metadata: {
            finalizers: ["example.com/other"],
            annotations: { "scheduler.kindling/driver-restart": "never" },
          },
        },
      ],
      ["DELETE", {}],
    ]);
  });

  test("ends an application between two pods of its driver", async () => {
    const standIn = sparkPod("stream-driver-restart", { role: "none", labels: { "spark-role": "driver-restart" } });
    await cluster.createPod(standIn);
    const { code, stdout } = await kindling(["kill", ...master, "spark-jobs:stream-driver"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "killed spark-jobs:stream-driver-restart\n" });
    await expect.poll(() => cluster.contents()).not.toContain("Pod/stream-driver-restart");
  });

  test("gives a grace period, by the flag or by Spark's key", async () => {
    await kindling(["kill", ...master, "--grace-period", "0", "spark-jobs:etl-1-driver"]);
    const key = "spark.kubernetes.appKillPodDeletionGracePeriod";
    await kindling(["kill", ...master, "--conf", `${key}=-1`, "elsewhere:etl-3-driver"]);
    await kindling(["kill", ...master, "--conf", `${key}=2m`, "spark-jobs:etl-2-driver"]);
    await kindling(["kill", ...master, "--conf", `${key}=2m`, "--grace-period", "7", "spark-jobs:web-1-driver"]);
    expect(deleted()).toEqual([
      ["spark-jobs:etl-1-driver", 0],
      // Like none: Spark's client does not send it.
      ["elsewhere:etl-3-driver", undefined],
      ["spark-jobs:etl-2-driver", 120],
      ["spark-jobs:web-1-driver", 7],
    ]);
  });

  test("takes the namespace from its flag, else from the kubeconfig's context", async () => {
    const env = { KUBECONFIG: kubeconfigFor(cluster) };
    expect((await kindling(["kill", "-n", "elsewhere", "etl-3-driver"], { env })).stdout).toBe(
      "killed elsewhere:etl-3-driver\n",
    );
    expect((await kindling(["kill", "etl-1-driver"], { env })).stdout).toBe("killed spark-jobs:etl-1-driver\n");
  });

  test.each([
    ["spark-jobs", "absent"],
    ["spark-jobs", "absent-*"],
    ["nowhere", "etl-1-driver"],
    ["spark-jobs", "etl-1"],
  ])("fails where %s:%s is not, and says where it looked", async (namespace, name) => {
    const { code, stdout, stderr } = await kindling(["kill", ...master, `${namespace}:${name}`]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`error: no application in namespace ${namespace} is called "${name}"\n`);
    expect(stderr).toContain(`kindling list -n ${namespace}`);
    expect(deleted()).toEqual([]);
  });

  test("finds an application by its name and by its id", async () => {
    await cluster.createPod(sparkPod("x1-driver", { app: "web" }));
    expect((await kindling(["kill", ...master, "spark-jobs:spark-web"])).stdout).toBe("killed spark-jobs:x1-driver\n");
    expect((await kindling(["kill", ...master, "spark-jobs:web-1-driver"])).stdout).toBe(
      "killed spark-jobs:web-1-driver\n",
    );
  });

  test("ends none of several that have the same name, and names them", async () => {
    await Promise.all(["a-driver", "b-driver"].map((name) => cluster.createPod(sparkPod(name, { app: "same" }))));
    const { code, stderr } = await kindling(["kill", ...master, "spark-jobs:same"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: 2 applications are called "spark-same"|"same"/);
    expect(stderr).toMatch(/spark-jobs:a-driver \(Running\)/);
    expect(stderr).toMatch(/spark-jobs:b-driver \(Running\)/);
    expect(deleted()).toEqual([]);
  });

  test("ends those that are there where another is not, and fails", async () => {
    const { code, stdout, stderr } = await kindling([
      "kill",
      ...master,
      "spark-jobs:absent",
      "spark-jobs:etl-1-driver",
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "killed spark-jobs:etl-1-driver\n" });
    expect(stderr).toContain('no application in namespace spark-jobs is called "absent"');
  });

  test.each([["etl-1-exec-1"], ["some-pod"]])("leaves a pod alone that is no driver: %s", async (name) => {
    await cluster.createPod(sparkPod("some-pod", { role: "none" }));
    const { code, stderr } = await kindling(["kill", ...master, `spark-jobs:${name}`]);
    expect(code).toBe(1);
    expect(stderr).toContain(`spark-jobs:${name} is a pod, but no Spark driver`);
    expect(deleted()).toEqual([]);
  });

  test("kills nothing where one of several ids is none", async () => {
    const { code } = await kindling(["kill", ...master, "spark-jobs:etl-1-driver", "spark-jobs:"]);
    expect(code).toBe(1);
    expect(deleted()).toEqual([]);
  });
});

describe("kindling submit --kill, like spark-submit,", () => {
  const submitKill = (id: string, ...flags: string[]): ReturnType<typeof kindling> =>
    kindling(["submit", ...master, ...flags, "--kill", id]);

  test("says what it asks for, and is content", async () => {
    const { code, stdout, stderr } = await submitKill("spark-jobs:etl-1-driver");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe(
      `Submitting a request to kill submission spark-jobs:etl-1-driver in k8s://${cluster.url}. Grace period in secs: not set.\n`,
    );
    expect(deleted()).toEqual([["spark-jobs:etl-1-driver", undefined]]);
  });

  test("names each of several, with their grace period", async () => {
    const { code, stderr } = await submitKill(
      "spark-jobs:etl-*",
      "--conf",
      "spark.kubernetes.appKillPodDeletionGracePeriod=5",
    );
    expect(code).toBe(0);
    expect(stderr.split("\n").slice(0, 3)).toEqual([
      `Submitting a request to kill submission spark-jobs:etl-* in k8s://${cluster.url}. Grace period in secs: 5`,
      "Deleting driver pod: etl-1-driver.",
      "Deleting driver pod: etl-2-driver.",
    ]);
    expect(deleted().map(([, grace]) => grace)).toEqual([5, 5]);
  });

  test("succeeds where there is nothing", async () => {
    expect(await submitKill("spark-jobs:absent")).toMatchObject({ code: 0, stdout: "" });
    const none = await submitKill("spark-jobs:absent-*");
    expect(none.code).toBe(0);
    expect(none.stderr).toMatch(/No applications found\.\n$/);
  });

  test("refuses flags that its version of Spark has not", async () => {
    const flags = ["--conf", "spark.kindling.sparkVersion=3.5.9", "--load-spark-defaults"];
    const { code, stderr } = await submitKill("spark-jobs:etl-1-driver", ...flags);
    expect(code).toBe(1);
    expect(stderr).toContain("--load-spark-defaults");
    expect(deleted()).toEqual([]);
  });

  test.each([
    ["4.2.0", false],
    ["4.3.0", true],
  ])("of %s says that there is nothing: %s", async (sparkVersion, says) => {
    const flag = ["--conf", `spark.kindling.sparkVersion=${sparkVersion}`];
    const { stderr } = await submitKill("spark-jobs:absent", ...flag);
    expect(stderr.endsWith("Application not found.\n")).toBe(says);
  });
});
