// Applications of which each comes to another end, or to none. Nothing runs: what a kubelet would say of pods is said here.
import { resources } from "@kindling/kube";
import { applicationOf, SPARK_APPLICATIONS } from "../load/applications.mjs";
import { observe } from "../load/observer.mjs";

/** The state that each application stays in, and the phases of its driver until then. */
const LIVES = {
  submitted: { state: "SUBMITTED", phases: [] },
  running: { state: "RUNNING", phases: ["Running"] },
  failed: { state: "FAILED", phases: ["Running", "Failed"] },
  completed: { state: "COMPLETED", phases: ["Running", "Succeeded"] },
  refused: { state: "SUBMISSION_FAILED", phases: [] },
};

const ENDS = ["COMPLETED", "FAILED", "SUBMISSION_FAILED"];

/** The last phase of each executor of the application that runs. */
const EXECUTORS = ["Running", "Succeeded", "Failed"];

/** What `--metrics-labels` of kubeflow's chart reads. */
const LABELS = { app_type: "batch" };

/** Has an operator see all lives. Resolves when each application says where it is. */
export async function liveAll(client, namespace) {
  const observer = await observe(client, namespace);
  try {
    for (const [name, { state, phases }] of Object.entries(LIVES)) {
      await client.create(SPARK_APPLICATIONS, labelled(name, namespace));
      if (state !== "SUBMISSION_FAILED") await seen(observer, name, "SUBMITTED");
      for (const phase of phases) {
        await setPhase(client, `${name}-driver`, namespace, phase);
        if (phase === "Running") await seen(observer, name, "RUNNING");
      }
      await seen(observer, name, state);
    }
    for (const [index, phase] of EXECUTORS.entries()) await executorLife(client, namespace, index + 1, phase);
  } finally {
    await observer.stop();
  }
}

async function seen(observer, name, state) {
  const isAt = (one) => observer.stateAt(name, one) !== undefined;
  await observer.until(() => isAt(state) || ENDS.some(isAt));
  if (!isAt(state)) throw new Error(`${name} has come to an end before it was ${state}`);
}

function labelled(name, namespace) {
  const { metadata, spec, ...rest } = applicationOf(name, namespace);
  // An API server takes no such label, so the submission fails.
  const refused = { "spark.kubernetes.driver.label.refused": "no label has a space" };
  const sparkConf = { ...spec.sparkConf, ...(name === "refused" && refused) };
  return { ...rest, metadata: { ...metadata, labels: LABELS }, spec: { ...spec, sparkConf } };
}

async function executorLife(client, namespace, id, last) {
  const driver = await client.get(resources.pods, "running-driver", { namespace });
  const { "spark-role": _role, ...labels } = driver.metadata.labels;
  const name = `running-exec-${id}`;
  await client.create(
    resources.pods,
    {
      metadata: {
        name,
        labels: { ...labels, ...LABELS, "spark-role": "executor", "spark-exec-id": String(id) },
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: driver.metadata.name, uid: driver.metadata.uid }],
      },
      spec: {
        schedulerName: "nobody",
        containers: [{ name: "spark-kubernetes-executor", image: "apache/spark:4.0.4" }],
      },
    },
    { namespace },
  );
  await setPhase(client, name, namespace, "Running");
  if (last !== "Running") await setPhase(client, name, namespace, last);
}

async function setPhase(client, name, namespace, phase) {
  await client.patch(resources.pods, name, "merge", { status: { phase } }, { namespace, subresource: "status" });
}
