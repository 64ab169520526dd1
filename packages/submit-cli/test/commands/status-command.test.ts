import { ManualClock } from "@kindling/outside";
import { beforeEach, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { aSparkPod, sparkPod } from "../fixtures/driver-pod.ts";
import { kindling, startKindling } from "../fixtures/kindling-process.ts";
import { TestCluster } from "@kindling/test-cluster/test-cluster";

let cluster: TestCluster;
let master: string[];
/** The text about the running driver. */
let runningText: string;

beforeEach(async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  cluster = await TestCluster.start({ clock });
  master = ["--master", `k8s://${cluster.url}`];
  const [one, two] = [sparkPod("etl-1-driver"), sparkPod("etl-2-driver")];
  const { metadata } = await cluster.createPod(one);
  await cluster.createPod(two);
  clock.advanceAtOnce(9000);
  cluster.devCluster.podFaults.outOfMemory({ namespace: "spark-jobs", name: "etl-2-driver" });
  await cluster.inPhase(two, "Failed");
  runningText = RUNNING_TEXT.replace("UID", metadata?.uid ?? "");
});

// In Spark's own words, which tools read (KubernetesUtils.formatPodState).
const RUNNING_TEXT = `
	 pod name: etl-1-driver
	 namespace: spark-jobs
	 labels: spark-app-name -> etl-1-driver, spark-app-selector -> spark-etl-1-driver, spark-role -> driver, spark-version -> 4.3.0
	 pod uid: UID
	 creation time: 2026-01-01T00:00:00Z
	 service account name: spark
	 volumes: data, spark-local-dir-1
	 node name: node-1
	 start time: 2026-01-01T00:00:00Z
	 phase: Running
	 container status: 
		 container name: spark-kubernetes-driver
		 container image: apache/spark:4.3.0
		 container state: running
		 container started at: 2026-01-01T00:00:00Z
`;

describe("kindling status", () => {
  test("is the page of one application", async () => {
    const executor = { role: "executor", app: "etl-1-driver", labels: { "spark-exec-id": "1" } } as const;
    await cluster.createPod(sparkPod("etl-1-exec-1", executor));
    const { code, stdout, stderr } = await kindling(["status", ...master, "spark-jobs:etl-1-driver"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Application +etl-1-driver \(spark-etl-1-driver\)\nState +Running\nSpark +4\.3\.0, image /);
    expect(stdout).toMatch(/^Driver +spark-jobs:etl-1-driver on node node-1$/m);
    expect(stdout).toMatch(/^Web UI +kindling ui spark-jobs:etl-1-driver$/m);
    expect(stdout).toMatch(/^EXECUTOR +POD +STATE +NODE +AGE\n1 +etl-1-exec-1 +Running +node-1 /m);
  });

  test.each([
    ["spark.ui.port=5050", "kindling"],
    ["spark.ssl.ui.enabled=true", "https://localhost:4440"],
    ["spark.ssl.enabled=true\nspark.ssl.ui.port=9443", "https://localhost:9443"],
  ])("leads to the web UI of a driver with %s", async (properties, shown) => {
    await cluster.send("POST", "/api/v1/namespaces/spark-jobs/configmaps", {
      metadata: { name: "etl-3-driver-conf-map" },
      data: { "spark.properties": `${properties}\n` },
    });
    const volume = { name: "spark-conf-volume-driver", configMap: { name: "etl-3-driver-conf-map" } };
    const driver = aSparkPod("etl-3-driver")
      .spec({ volumes: [volume] })
      .build();
    await cluster.createPod(driver);
    await cluster.inPhase(driver, "Running");
    const { stdout } = await kindling(["status", ...master, "spark-jobs:etl-3-driver"]);
    expect(/^Web UI +(\S+) /m.exec(stdout)?.[1]).toBe(shown);
  });

  test("tells how often the gateway has started the driver again, and when it does", async () => {
    const driver = aSparkPod("stream-driver").annotations({
      "scheduler.kindling/driver-restart": "onFailure",
      "scheduler.kindling/restarts": "2",
      "scheduler.kindling/last-end": "exit code 1: Error",
      "scheduler.kindling/restart-at": "2026-01-01T00:00:40.000Z",
    });
    await cluster.createPod(driver.build());
    const { stdout } = await kindling(["status", ...master, "spark-jobs:stream-driver"]);
    expect(stdout).toMatch(
      /^Restarts +restarted 2 times, last: exit code 1: Error; started again at 2026-01-01T00:00:40.000Z$/m,
    );
  });

  test.each([
    [{ "connect.kindling/key": "k" }, { "connect.kindling/user": "alice" }, "of alice"],
    [{ "connect.kindling/key": "k" }, {}, "of all users"],
    [{}, {}, "waits for a session"],
  ])("tells whose sessions a driver of Spark Connect has: %j %j", async (labels, annotations, words) => {
    const marked = { labels: { "connect.kindling/profile": "small", ...labels } };
    await cluster.createPod(aSparkPod("connect-small-1", marked).annotations(annotations).build());
    const { stdout } = await kindling(["status", ...master, "spark-jobs:connect-small-1"]);
    expect(/^Sessions +(.+)$/m.exec(stdout)?.[1]).toBe(`Spark Connect, profile small, ${words}`);
  });

  test("tells which executors gave way to other applications, as long as the driver runs", async () => {
    const { metadata } = await cluster.createPod(
      sparkPod("robbed-driver", { labels: { "scheduler.kindling/gateway": "true" } }),
    );
    const message = "wants 3 executors, has 1: 2 gave way to daily in queue etl, which has a guarantee";
    const event = {
      metadata: { name: "robbed-driver.gave-way", namespace: "spark-jobs" },
      involvedObject: { kind: "Pod", name: "robbed-driver", namespace: "spark-jobs", uid: metadata?.uid },
      ...{ reason: "ExecutorsPreempted", message: `${message}\u001b[2J`, type: "Normal", count: 1 },
      ...{ firstTimestamp: "2026-01-01T00:00:00Z", lastTimestamp: "2026-01-01T00:00:00Z" },
      source: { component: "kindling-gateway" },
    };
    await cluster.send("POST", "/api/v1/namespaces/spark-jobs/events", event);
    const { stdout } = await kindling(["status", ...master, "spark-jobs:robbed-driver"]);
    expect(stdout).toMatch(
      /^Gave way +wants 3 executors, has 1: 2 gave way to daily in queue etl, which has a guarantee\S* \(\d+\w+ ago\)$/m,
    );
    expect(stdout).not.toContain("\u001b[2J");
  });

  test("says why an application failed, and what would help", async () => {
    const { stdout } = await kindling(["status", ...master, "spark-jobs:etl-2-driver"]);
    expect(stdout).toMatch(/^State +OOMKilled$/m);
    expect(stdout).toMatch(/^failed: container spark-kubernetes-driver used more memory than its limit/m);
    expect(stdout).toMatch(/^hint: raise spark\.driver\.memoryOverhead/m);
    expect(stdout).toMatch(/^next: .*kindling logs spark-jobs:etl-2-driver$/m);
  });

  test("says what an application waits for", async () => {
    await cluster.createPod(aSparkPod("young-driver").requests({ memory: "1Pi" }).build(), "Pending");
    await expect
      .poll(async () => (await kindling(["status", ...master, "spark-jobs:young-driver"])).stdout)
      .toMatch(
        /^waiting: the driver: no node takes the pod: .*Insufficient memory.*\nhint: no node has that much memory/m,
      );
  });

  test("gives a list, of one application too", async () => {
    const one = await kindling(["status", ...master, "-o", "json", "spark-jobs:etl-1-driver"]);
    expect(JSON.parse(one.stdout)).toMatchObject({
      ...{ apiVersion: "applications.kindling/v1", kind: "ApplicationReportList" },
      items: [{ driverPod: "etl-1-driver", state: "Running", driver: { containers: [{ state: "running" }] } }],
    });
    const both = await kindling(["status", ...master, "-o", "yaml", "spark-jobs:etl-*"]);
    const [document] = parseAllDocuments(both.stdout);
    expect(document?.toJS()).toMatchObject({
      kind: "ApplicationReportList",
      items: [
        { state: "Running" },
        {
          state: "OOMKilled",
          driver: { containers: [{ exitCode: 137 }] },
          diagnosis: { findings: [{ cause: "OOMKilled" }] },
        },
      ],
    });
  });

  test("shows one application until it has ended", async () => {
    const watching = startKindling(["status", ...master, "-w", "-o", "table", "spark-jobs:etl-1-driver"]);
    await watching.saying("Running");
    cluster.end(sparkPod("etl-1-driver"), 0);
    const { code, stdout } = await watching.ended;
    expect(code).toBe(0);
    expect(stdout.split("\n").filter((line) => line.startsWith("spark-jobs"))).toEqual([
      expect.stringMatching(/ Running /),
      expect.stringMatching(/ Succeeded /),
    ]);
  });

  test("shows one application until it is deleted", async () => {
    const watching = startKindling(["status", ...master, "-w", "etl-1-driver", "-n", "spark-jobs"]);
    await watching.saying("Running");
    await cluster.delete(sparkPod("etl-1-driver"), { gracePeriodSeconds: 0 });
    const { code, stdout, stderr } = await watching.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^etl-1-driver was deleted$/m);
  });

  test("gives a table", async () => {
    const { stdout } = await kindling(["status", ...master, "-o", "table", "spark-jobs:etl-*"]);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^NAMESPACE +DRIVER POD +APPLICATION +SPARK +STATE +EXECUTORS +AGE$/),
      expect.stringMatching(/^spark-jobs +etl-1-driver +etl-1-driver +4\.3\.0 +Running +0 +\d+d$/),
      expect.stringMatching(/^spark-jobs +etl-2-driver +etl-2-driver +4\.3\.0 +OOMKilled +0 +\d+d$/),
      "",
    ]);
  });

  test("fails where an application is not there, and tells of the others", async () => {
    const { code, stdout, stderr } = await kindling([
      "status",
      ...master,
      "-o",
      "table",
      "spark-jobs:absent",
      "spark-jobs:etl-1-driver",
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain("etl-1-driver");
    expect(stderr).toMatch(/^error: no application in namespace spark-jobs is called "absent"\n/);
  });
});

describe("kindling submit --status, like spark-submit,", () => {
  const submitStatus = (id: string): ReturnType<typeof kindling> => kindling(["submit", ...master, "--status", id]);

  test("describes the pod on the stream for messages", async () => {
    const { code, stdout, stderr } = await submitStatus("spark-jobs:etl-1-driver");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe(
      `Submitting a request for the status of submission spark-jobs:etl-1-driver in k8s://${cluster.url}.\n` +
        `Application status (driver): ${runningText}`,
    );
  });

  test("succeeds where there is nothing", async () => {
    const one = await submitStatus("spark-jobs:absent");
    expect(one.code).toBe(0);
    expect(one.stderr).toMatch(/\nApplication not found\.\n$/);
    const several = await submitStatus("spark-jobs:absent-*");
    expect(several.code).toBe(0);
    expect(several.stderr).toMatch(/\nNo applications found\.\n$/);
  });
});
