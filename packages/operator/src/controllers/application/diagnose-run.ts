import { resources, type KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { applicationReport, forApplication, type Finding } from "@kindling/submit";
import type { PodRecord } from "../../pods/pod-record.ts";

/** The status waits for the diagnosis, so it may not take long. Users who want to know more can ask the cluster. */
const PATIENCE_MS = 3_000;

/**
 * Why a driver failed, in a sentence or two, from its pod, the end of its log, its executors and their events. Sources
 * that the operator may not read are left out.
 *
 * @returns undefined if nothing is known, or not in time
 */
export async function diagnoseRun(
  client: KubeClient,
  { clock }: Outside,
  { namespace, name, uid }: PodRecord,
): Promise<string | undefined> {
  const patience = new AbortController();
  const { signal } = patience;
  const stopWaiting = clock.after(PATIENCE_MS, () => patience.abort());
  try {
    const pod = await client.get(resources.pods, name, { namespace, signal });
    if (pod.metadata?.uid !== uid) return undefined;
    // The run ends with Spark's container, even if sidecars go on and the kubelet has not reported the end of the pod.
    const ended = { ...pod, status: { ...pod.status, phase: "Failed" } };
    const { diagnosis } = await applicationReport(client, ended, { now: clock.now(), signal });
    const failure = forApplication(diagnosis).findings.find(({ severity }) => severity === "failure");
    return failure === undefined || signal.aborted ? undefined : textOf(failure);
  } catch {
    return undefined;
  } finally {
    stopWaiting();
  }
}

/** How many details, such as a chain of causes or the last lines of a log, an event has: no more than people read there. */
const MOST_DETAILS = 2;

function textOf({ summary, details, advice }: Finding): string {
  const shown = details.filter((line) => !summary.includes(line)).slice(0, MOST_DETAILS);
  return [[summary, ...shown].join(": "), ...(advice === undefined ? [] : [advice])].join("; ");
}
