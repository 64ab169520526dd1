// @ts-check
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { amount } from "./harness/environment.mjs";
import { atMost, judge } from "./harness/judge.mjs";
import { driverStart } from "./recorder-cost/driver-start.mjs";
import { processorTime } from "./recorder-cost/processor-time.mjs";

const VERSION = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "4.3.0").split(",")[0] ?? "";
const IMAGE = process.env["KINDLING_E2E_SPARK_IMAGE"] ?? "apache/spark:{version}";
const [NAMESPACE = ""] = (process.env["KINDLING_BENCH_NAMESPACES"] ?? "").split(",");
const PAIRS = amount("KINDLING_BENCH_PAIRS", 20);
const APPLICATIONS = amount("KINDLING_BENCH_APPLICATIONS", 1);
const BUSY_SECONDS = amount("KINDLING_BENCH_BUSY_SECONDS", 180);
const SYSTEM = "kindling";
const EXAMPLES = `local:///opt/spark/examples/jars/spark-examples_${VERSION.startsWith("3") ? "2.12" : "2.13"}-${VERSION}.jar`;

const CONF = {
  "spark.kubernetes.container.image": IMAGE.replaceAll("{version}", VERSION),
  "spark.kubernetes.driver.request.cores": "100m",
  "spark.kubernetes.executor.request.cores": "100m",
  "spark.executor.memory": "600m",
  "spark.driver.memory": "600m",
  "spark.kubernetes.submission.waitAppCompletion": "false",
};

/** What the recorder costs the applications: time at the start of a driver, and processor time. */
export async function recorderCost() {
  const client = createKubeClient(await loadClusterAccess({ env: process.env }));
  const flags = Object.entries(CONF).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  const place = { client, namespace: NAMESPACE, system: SYSTEM, flags, examples: EXAMPLES };
  try {
    const used = await processorTime(place, { applications: APPLICATIONS, busySeconds: BUSY_SECONDS });
    const start = await driverStart(place, PAIRS);
    const percent = (/** @type {number} */ part) => (part / used.applications) * 100;
    return judge([
      { what: "processor time of the applications", found: `${used.applications.toFixed(1)} s` },
      { what: "of the containers that bring their event logs", found: `${used.eventLogs.toFixed(2)} s` },
      {
        what: "of the recorder meanwhile, besides what it takes without applications",
        found: `${used.recorder.toFixed(2)} s`,
      },
      { what: "of the recorder in a minute without applications", found: `${used.idleRecorder.toFixed(2)} s` },
      atMost(
        "what they cost: the first two of these, as a part of the time of the applications",
        percent(used.eventLogs + used.recorder),
        "%",
        1,
      ),
      {
        what: `from \`kindling submit\` to the driver's first line without event log, median of ${PAIRS}`,
        found: `${Math.round(start.without)} ms`,
      },
      { what: "the same, with its event log recorded", found: `${Math.round(start.with)} ms` },
      atMost("a driver starts later by, in the mean", start.later, "ms", 100),
    ]);
  } finally {
    client.close();
  }
}
