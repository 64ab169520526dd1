import { isNotFound, resources } from "@kindling/kube";
import {
  SCHEDULER_ADMISSION_GATE,
  SCHEDULER_EXECUTOR_REQUEST_ANNOTATION,
  SCHEDULER_GATEWAY_LABEL,
  SCHEDULER_MIN_EXECUTORS_ANNOTATION,
  SCHEDULER_QUEUE_LABEL,
} from "@kindling/core-spec";
import { driverToken } from "../driver-token.mjs";
import { Driver } from "../driver.mjs";

const LOOK_MS = 100;
const BATCH_DELAY_MS = 1_000;
const EXECUTOR = { cpu: "1", memory: "1408Mi" };

/** Makes the driver pod of an application, which may have a gate until a gateway opens it. */
export async function submit(application, options) {
  const { client, namespace } = options;
  const pod = await client.create(resources.pods, driverPod(application, options), { namespace });
  return { ...application, pod };
}

/**
 * Runs an application that has been submitted to its end, or until it is told to stop: with executors that do its work
 * once enough of them run.
 *
 * @param application its `done` says how far it is, in seconds that one executor works
 */
export async function runApplication(application, options) {
  const { client, namespace, signal } = options;
  if (!(await runs(client, namespace, application.pod, signal))) return;
  await work(application, options);
  if (!signal.aborted) await client.delete(resources.pods, application.name, { namespace, gracePeriodSeconds: 0 });
}

async function work(application, { client, namespace, uri, ca, isGated, executors, minimum, work: all, signal }) {
  const { pod } = application;
  const { name, uid } = pod.metadata;
  const token = await driverToken(client, pod, isGated ? undefined : []);
  const driver = new Driver({ name, uid, namespace, uri, ca, token, executor: {} });
  await driver.begin();
  let isWorking = false;
  let last = performance.now();
  let asked = last - BATCH_DELAY_MS;
  while (application.done < all && !signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = performance.now();
    isWorking ||= driver.running >= minimum;
    if (isWorking) application.done += (driver.running * (now - last)) / 1000;
    last = now;
    if (now - asked < BATCH_DELAY_MS) continue;
    await driver.batch(executors);
    asked = performance.now();
  }
  // Who is told to stop leaves all as it is, to be deleted with the namespace.
  if (signal.aborted) driver.leave();
  else await driver.finish();
}

function driverPod({ queue, name }, { isGated, minimum }) {
  const labels = { "spark-role": "driver", "spark-app-selector": `spark-${name}`, [SCHEDULER_QUEUE_LABEL]: queue };
  const spec = {
    restartPolicy: "Never",
    serviceAccountName: "spark",
    automountServiceAccountToken: false,
    containers: [{ name: "spark-kubernetes-driver", image: "spark", resources: { requests: EXECUTOR } }],
  };
  if (!isGated) return { metadata: { name, labels }, spec };
  const annotations = {
    [SCHEDULER_MIN_EXECUTORS_ANNOTATION]: String(minimum),
    [SCHEDULER_EXECUTOR_REQUEST_ANNOTATION]: JSON.stringify(EXECUTOR),
  };
  return {
    metadata: { name, labels: { ...labels, [SCHEDULER_GATEWAY_LABEL]: "true" }, annotations },
    spec: { ...spec, schedulingGates: [{ name: SCHEDULER_ADMISSION_GATE }] },
  };
}

/** Whether the pod comes to run before the signal. */
async function runs(client, namespace, { metadata: { name } }, signal) {
  while (!signal.aborted) {
    try {
      const { status } = await client.get(resources.pods, name, { namespace });
      if (status?.phase === "Running") return true;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}
