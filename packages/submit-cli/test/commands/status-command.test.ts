import { ManualClock } from "@kindling/outside";
import { beforeEach, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { kindling } from "../fixtures/kindling-process.ts";
import { TestCluster } from "@kindling/test-cluster/test-cluster";

let cluster: TestCluster;
let master: string[];
/** What is to be said of the driver that runs. */
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
  test("tells of one application in Spark's words", async () => {
    const { code, stdout, stderr } = await kindling(["status", ...master, "spark-jobs:etl-1-driver"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: runningText.slice(1), stderr: "" });
  });

  test("tells how a container ended", async () => {
    const { stdout } = await kindling(["status", ...master, "spark-jobs:etl-2-driver"]);
    expect(stdout).toContain("\t phase: Failed\n");
    expect(stdout).toContain("\t\t container state: terminated\n");
    expect(stdout).toContain(
      "\t\t container finished at: 2026-01-01T00:00:09Z\n\t\t exit code: 137\n\t\t termination reason: OOMKilled\n",
    );
  });

  test("says N/A for what a pod has not got yet", async () => {
    await cluster.createPod(sparkPod("young-driver", { scheduler: "nobody" }), "Pending");
    const { stdout } = await kindling(["status", ...master, "spark-jobs:young-driver"]);
    expect(stdout).toContain("\t start time: N/A\n\t phase: Pending\n\t container status: N/A\n");
  });

  test("gives an object for one application, and a list for several", async () => {
    const one = await kindling(["status", ...master, "-o", "json", "spark-jobs:etl-1-driver"]);
    expect(JSON.parse(one.stdout)).toMatchObject({
      name: "etl-1-driver",
      phase: "Running",
      containers: [{ state: "running" }],
    });
    const both = await kindling(["status", ...master, "-o", "yaml", "spark-jobs:etl-*"]);
    const [document] = parseAllDocuments(both.stdout);
    expect(document?.toJS()).toMatchObject([
      { phase: "Running" },
      { phase: "Failed", containers: [{ exitCode: 137 }] },
    ]);
  });

  test("gives a table", async () => {
    const { stdout } = await kindling(["status", ...master, "-o", "table", "spark-jobs:etl-*"]);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^NAMESPACE +DRIVER POD +APPLICATION +SPARK +STATE +AGE$/),
      expect.stringMatching(/^spark-jobs +etl-1-driver +etl-1-driver +4\.3\.0 +Running +\d+d$/),
      expect.stringMatching(/^spark-jobs +etl-2-driver +etl-2-driver +4\.3\.0 +Failed +\d+d$/),
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
    expect(stderr).toBe("error: spark-jobs:absent: no application is there\n");
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
