import type { Pod } from "kubernetes-types/core/v1.js";
import { beforeEach, describe, expect, test } from "vitest";
import { aSparkPod, sparkPod } from "../fixtures/driver-pod.ts";
import { kindling, startKindling } from "../fixtures/kindling-process.ts";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";

let cluster: TestCluster;
let master: string[];
let driver: Pod;

beforeEach(async () => {
  cluster = await TestCluster.start();
  master = ["--master", `k8s://${cluster.url}`];
  driver = await cluster.createPod(
    sparkPod("etl-driver", { app: "etl", containers: ["sidecar", "spark-kubernetes-driver"] }),
  );
  const executor = await cluster.createPod(
    sparkPod("etl-exec-7", { role: "executor", app: "etl", labels: { "spark-exec-id": "7" } }),
  );
  cluster.writeLog(driver, ["driver 1", "driver 2"], "spark-kubernetes-driver");
  cluster.writeLog(executor, ["executor 1"]);
});

const logs = (...args: string[]): ReturnType<typeof kindling> => kindling(["logs", ...master, ...args]);
const logRequests = (): URLSearchParams[] =>
  cluster.api.requests.filter(({ path }) => path.endsWith("/log")).map(({ query }) => query);

describe("kindling logs", () => {
  test("prints the driver's log, of the container that runs Spark", async () => {
    expect(await logs("spark-jobs:etl-driver")).toEqual({ code: 0, stdout: "driver 1\ndriver 2\n", stderr: "" });
    expect(logRequests()[0]?.get("container")).toBe("spark-kubernetes-driver");
  });

  test("finds an application by its name, its id and by a pattern, if it is one alone", async () => {
    expect((await logs("-n", "spark-jobs", "etl")).stdout).toBe("driver 1\ndriver 2\n");
    expect((await logs("spark-jobs:spark-etl")).stdout).toBe("driver 1\ndriver 2\n");
    expect((await logs("spark-jobs:etl-*")).stdout).toBe("driver 1\ndriver 2\n");
    await cluster.createPod(sparkPod("etl-2-driver"));
    const { code, stdout, stderr } = await logs("spark-jobs:etl-*");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: 2 applications are called "etl-\*"\nhint: .*spark-jobs:etl-2-driver \(Running\)/);
  });

  test("prints an executor's log", async () => {
    expect((await logs("--executor", "7", "spark-jobs:etl-driver")).stdout).toBe("executor 1\n");
    expect(logRequests()[0]?.get("container")).toBe("spark-kubernetes-executor");
  });

  test("says which executor is not there", async () => {
    const { code, stderr } = await logs("-e", "9", "spark-jobs:etl-driver");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: executor 9 of spark-jobs:etl-driver is not there\nhint: .*deleteOnTermination/);
  });

  test("asks for as much as is wanted", async () => {
    await logs("--tail", "5", "--since", "2m", "--timestamps", "--container", "sidecar", "spark-jobs:etl-driver");
    expect(Object.fromEntries(logRequests()[0] ?? [])).toEqual({
      container: "sidecar",
      tailLines: "5",
      sinceSeconds: "120",
      timestamps: "true",
    });
  });

  test("waits for a driver that has not started", async () => {
    cluster.hold();
    cluster.script = () => ({ runMilliseconds: 0, log: ["at last"] });
    await cluster.createPod(sparkPod("late-driver"), "Pending");
    const following = startKindling(["logs", "-f", ...master, "spark-jobs:late-driver"]);
    await following.saying("spark-jobs:late-driver has not started yet");
    cluster.release();
    expect(await following.ended).toMatchObject({ code: 0, stdout: "at last\n" });
  });

  test.each([
    [["--tail", "few"], "--tail few: must be a whole number"],
    [["--since", "yesterday"], "--since yesterday: must be a duration such as 5m"],
    [["--since", "0s"], "--since 0s: must be a duration such as 5m"],
  ])("refuses %j without asking anybody", async (flags, message) => {
    const { code, stderr } = await logs(...flags, "spark-jobs:etl-driver");
    expect(code).toBe(1);
    expect(stderr).toContain(`error: ${message}\n`);
    expect(cluster.api.requests).toEqual([]);
  });

  test("says what is not there", async () => {
    const { code, stderr } = await logs("spark-jobs:absent");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: no application in namespace spark-jobs is called "absent"\nhint: kindling list /);
  });

  test("says why a driver failed, behind its log", async () => {
    cluster.writeLog(driver, ["Error: Failed to load class com.example.Elt."], "spark-kubernetes-driver");
    cluster.end(driver, 101, "Error", "spark-kubernetes-driver");
    cluster.end(driver, 0, "Completed", "sidecar");
    await cluster.inPhase(driver, "Failed");
    const { code, stdout, stderr } = await logs("spark-jobs:etl-driver");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("Failed to load class") });
    expect(stderr).toMatch(/^failed: class com\.example\.Elt is in none of the jars \(exit code 101/);
    expect(stderr).not.toMatch(/^next:/m);
  });

  test("says that a driver has not started, and why", async () => {
    cluster.hold();
    await cluster.createPod(sparkPod("late-driver", { scheduler: "nobody" }), "Pending");
    const { code, stdout, stderr } = await logs("spark-jobs:late-driver");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /error: spark-jobs:late-driver has not started: there is no log yet\nhint: kindling logs -f waits for it\n$/,
    );
    const named = await logs("spark-jobs:late-driver", "--container", "spark-kubernetes-driver");
    expect(named.stderr).toMatch(/hint: kindling logs -f --container spark-kubernetes-driver waits for it\n$/);
  });

  test("says why a driver is held back", async () => {
    await cluster.createPod(aSparkPod("held-driver").gated("kueue.x-k8s.io/admission").build(), "Pending");
    const { code, stderr } = await logs("spark-jobs:held-driver");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^waiting: the driver: Kueue holds the pod back[^]*\nerror: .* has not started/);
  });

  test("says that the gateway starts a driver again, whose log is gone", async () => {
    await cluster.createPod(
      sparkPod("again-driver-restart", { role: "none", labels: { "spark-role": "driver-restart" } }),
      "Running",
    );
    const { code, stderr } = await logs("spark-jobs:again-driver");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error: spark-jobs:again-driver is to be started again by the gateway: there is no log yet\n/,
    );
  });
});

test("a container that the pod has not is refused, with those that it has", async () => {
  expect(await logs("--container", "nosuch", "spark-jobs:etl-driver")).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^error: the pod has no container "nosuch"\nhint: it has .*spark-kubernetes-driver.*\n$/,
    ) as string,
  });
});

describe("kindling logs -f", () => {
  test("follows an init container from its beginning", async () => {
    const pod = aSparkPod("with-init").spec({ initContainers: [{ name: "fetch", image: "fetch" }] });
    const made = await cluster.createPod(pod.build(), "Pending");
    const process = startKindling(["logs", ...master, "-f", "--container", "fetch", "spark-jobs:with-init"]);
    await eventually(async () => {
      const now = (await cluster.send("GET", "/api/v1/namespaces/spark-jobs/pods/with-init")) as Pod;
      expect(now.status?.initContainerStatuses?.[0]?.state).toHaveProperty("running");
    });
    cluster.writeLog(made, ["fetched one"], "fetch");
    await process.saying("fetched one");
    cluster.end(made, 0, "Completed", "fetch");
    expect(await process.ended).toMatchObject({ code: 0, stdout: "fetched one\n" });
  });

  test("goes on until the container ends", async () => {
    const process = startKindling(["logs", ...master, "-f", "spark-jobs:etl-driver"]);
    await process.saying("driver 2");
    cluster.writeLog(driver, ["driver 3"], "spark-kubernetes-driver");
    await process.saying("driver 3");
    cluster.end(driver, 0);
    expect(await process.ended).toEqual({ code: 0, stdout: "driver 1\ndriver 2\ndriver 3\n", stderr: "" });
  });

  test("ends at an interrupt, as a shell has it", async () => {
    const process = startKindling(["logs", ...master, "-f", "spark-jobs:etl-driver"]);
    await process.saying("driver 2");
    process.child.kill("SIGINT");
    expect(await process.ended).toEqual({ code: 130, stdout: "driver 1\ndriver 2\n", stderr: "" });
  });
});
