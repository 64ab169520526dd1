import { type CommandContext, printNotice } from "@kindling/command-line";
import { harmlessText, KindlingError } from "@kindling/core-spec";
import { isAlreadyExists, type KubeClient, resources, type ResourceType } from "@kindling/kube";
import { sleep } from "@kindling/outside";
import type { Job } from "kubernetes-types/batch/v1.js";
import type { ContainerStatus, Event, Pod } from "kubernetes-types/core/v1.js";
import { HISTORY_CONTAINER, historyServerJob, type HistoryServerOptions } from "./history-server-job.ts";

const JOBS: ResourceType<Job> = { group: "batch", version: "v1", plural: "jobs", kind: "Job", namespaced: true };
/** The labels of a Job's pods begin with it. */
const JOB = "batch.kubernetes.io/";
/** An image may have to be pulled. */
const PATIENCE_MS = 300_000;
const LOOK_AGAIN_MS = 500;

interface StartOptions extends HistoryServerOptions {
  readonly namespace: string;
}

/**
 * Starts a history server for a run, or finds the one that runs already, and waits until it answers.
 *
 * @returns the name of its pod
 * @throws KubeError; KindlingError `POD_FAILED`
 */
export async function startHistoryServer(
  client: KubeClient,
  { namespace, ...options }: StartOptions,
  { outside: { clock }, output, signal }: CommandContext,
): Promise<string> {
  const { name } = options;
  const create = async (): Promise<string | undefined> => {
    try {
      const { metadata } = await client.create(JOBS, historyServerJob(options), { namespace, signal });
      return metadata?.uid;
    } catch (error) {
      if (isAlreadyExists(error)) return undefined;
      throw error;
    }
  };
  let uid = await create();
  const giveUp = clock.monotonic() + PATIENCE_MS;
  let told: string | undefined;
  for (;;) {
    const labelSelector = uid === undefined ? `${JOB}job-name=${name}` : `${JOB}controller-uid=${uid}`;
    const { items } = await client.listAll<Pod>(resources.pods, { namespace, labelSelector, signal });
    const pod = items.at(-1);
    if (isReady(pod)) return pod?.metadata?.name ?? "";
    const hasEnded = pod?.status?.phase === "Failed" || pod?.status?.phase === "Succeeded";
    if (hasEnded && uid !== undefined) throw ended(namespace, name, pod);
    // An earlier one has ended, and is deleted soon, or was deleted just now.
    if (hasEnded || pod === undefined) uid ??= await create();
    const waits = pod === undefined ? await refusalOf(client, namespace, name) : reasonOf(pod);
    if (waits !== undefined && waits !== told) printNotice(`the history server is not there yet: ${waits}`, output);
    told = waits ?? told;
    if (clock.monotonic() > giveUp) throw tooLate(namespace, name, told);
    await sleep(clock, LOOK_AGAIN_MS, signal);
  }
}

function isReady(pod: Pod | undefined): boolean {
  return pod?.status?.containerStatuses?.find(({ name }) => name === HISTORY_CONTAINER)?.ready === true;
}

/** Why there is no pod, such as a quota. Only an event says so. */
async function refusalOf(client: KubeClient, namespace: string, job: string): Promise<string | undefined> {
  try {
    const fieldSelector = `involvedObject.kind=Job,involvedObject.name=${job},reason=FailedCreate`;
    const { items } = await client.listAll<Event>(resources.events, { namespace, fieldSelector });
    const message = items.at(-1)?.message;
    return message === undefined ? undefined : harmlessText(message);
  } catch {
    // A user may start a history server without the right to read events.
    return undefined;
  }
}

/** Why a pod has not started, as Kubernetes says it. */
function reasonOf({ status }: Pod): string | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "False") return harmlessText(scheduled.message ?? "it has no node");
  const waiting = statusesOf(status).flatMap(({ state }) => state?.waiting ?? []);
  const fault = waiting.find(({ reason }) => reason !== "PodInitializing" && reason !== "ContainerCreating");
  return fault === undefined ? undefined : harmlessText(`${fault.reason ?? ""} ${fault.message ?? ""}`.trim());
}

function statusesOf(status: Pod["status"]): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

function ended(namespace: string, name: string, { status }: Pod): KindlingError {
  const failed = statusesOf(status).find(hasFailed);
  const { exitCode, message } = failed?.state?.terminated ?? {};
  const words = message === undefined ? `exit code ${exitCode ?? "unknown"}` : harmlessText(message.trim());
  return new KindlingError("POD_FAILED", `the history server has ended: ${words}`, {
    hint: `kubectl logs -n ${namespace} job/${name} --all-containers shows what it said`,
  });
}

function hasFailed({ state }: ContainerStatus): boolean {
  return state?.terminated !== undefined && state.terminated.exitCode !== 0;
}

function tooLate(namespace: string, name: string, told: string | undefined): KindlingError {
  const words = `the history server did not start within ${PATIENCE_MS / 60_000} minutes`;
  return new KindlingError("POD_FAILED", told === undefined ? words : `${words}: ${told}`, {
    hint: `kubectl describe -n ${namespace} job/${name} says more; kubectl delete -n ${namespace} job/${name} removes it`,
  });
}
