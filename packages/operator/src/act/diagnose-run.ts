import { resources, type KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { applicationReport } from "@kindling/submit";
import type { PodRecord } from "../pods/pod-record.ts";

/** The status waits for it, so it may not take long; whoever wants to know more asks the cluster. */
const PATIENCE_MS = 3_000;

/**
 * Why a driver failed, in a sentence or two, by its pod, the end of its log, its executors and their events. What the
 * operator may not look at is left out.
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
    const { diagnosis } = await applicationReport(client, pod, { now: clock.now(), signal });
    const failure = diagnosis.findings.find(({ severity }) => severity === "failure");
    if (failure === undefined || signal.aborted) return undefined;
    return [failure.summary, failure.advice].filter((text) => text !== undefined).join("; ");
  } catch {
    return undefined;
  } finally {
    stopWaiting();
  }
}
