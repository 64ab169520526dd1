// Applications that each end in another state, or do not end. Nothing runs: this module reports what a kubelet would report
// about pods.
import { type KubeClient, resources } from "@kindling/kube";
import { type ApplicationState, customResources } from "@kindling/spark-application";
import { applicationOf, type MadeApplication } from "../operators/applications.ts";
import { observe, type Observer } from "../operators/observer.ts";

interface Life {
  readonly name: string;
  /** The state in which the application stays. */
  readonly state: ApplicationState;
  /** The phases of its driver until then. */
  readonly phases: readonly Phase[];
}

type Phase = "Running" | "Failed" | "Succeeded";

const LIVES: readonly Life[] = [
  { name: "submitted", state: "SUBMITTED", phases: [] },
  { name: "running", state: "RUNNING", phases: ["Running"] },
  { name: "failed", state: "FAILED", phases: ["Running", "Failed"] },
  { name: "completed", state: "COMPLETED", phases: ["Running", "Succeeded"] },
  { name: "refused", state: "SUBMISSION_FAILED", phases: [] },
];

const ENDS: readonly ApplicationState[] = ["COMPLETED", "FAILED", "SUBMISSION_FAILED"];

/** The last phase of each executor of the running application. */
const EXECUTORS: readonly Phase[] = ["Running", "Succeeded", "Failed"];

/** The labels that `--metrics-labels` of kubeflow's chart reads. */
const LABELS = { app_type: "batch" };

/** Plays all lives for an operator. Resolves when each application has reached its state. */
export async function liveAll(client: KubeClient, namespace: string): Promise<void> {
  const observer = await observe(client, namespace);
  try {
    for (const { name, state, phases } of LIVES) {
      await client.create(customResources.sparkApplications, labelled(name, namespace));
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

async function seen(observer: Observer, name: string, state: ApplicationState): Promise<void> {
  const isAt = (one: ApplicationState): boolean => observer.stateAt(name, one) !== undefined;
  await observer.until(() => isAt(state) || ENDS.some(isAt));
  if (!isAt(state)) throw new Error(`${name} has come to an end before it was ${state}`);
}

function labelled(name: string, namespace: string): MadeApplication {
  const { metadata, spec, ...rest } = applicationOf(name, namespace);
  // An API server refuses such a label, so the submission fails.
  const refused = { "spark.kubernetes.driver.label.refused": "no label has a space" };
  const sparkConf = { ...spec.sparkConf, ...(name === "refused" && refused) };
  return { ...rest, metadata: { ...metadata, labels: LABELS }, spec: { ...spec, sparkConf } };
}

async function executorLife(client: KubeClient, namespace: string, id: number, last: Phase): Promise<void> {
  const driver = await client.get(resources.pods, "running-driver", { namespace });
  const { name: owner = "", uid = "", labels: { "spark-role": _role, ...labels } = {} } = driver.metadata ?? {};
  const name = `running-exec-${id}`;
  const pod = {
    metadata: {
      name,
      labels: { ...labels, ...LABELS, "spark-role": "executor", "spark-exec-id": String(id) },
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: owner, uid }],
    },
    spec: {
      schedulerName: "nobody",
      containers: [{ name: "spark-kubernetes-executor", image: "apache/spark:4.0.4" }],
    },
  };
  await client.create(resources.pods, pod, { namespace });
  await setPhase(client, name, namespace, "Running");
  if (last !== "Running") await setPhase(client, name, namespace, last);
}

async function setPhase(client: KubeClient, name: string, namespace: string, phase: Phase): Promise<void> {
  await client.patch(resources.pods, name, "merge", { status: { phase } }, { namespace, subresource: "status" });
}
