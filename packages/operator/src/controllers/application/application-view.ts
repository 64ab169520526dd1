import { keyOf } from "@kindling/controller";
import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import type { DriverInfo, SparkApplication } from "@kindling/spark-application";
import { withDefaults } from "@kindling/spark-application/read";
import { podRecord, type PodRecord } from "../../pods/pod-record.ts";
import type { Rules, View } from "../../application-states/decide.ts";
import type { OperatorCaches } from "../../caches/operator-caches.ts";
import type { SubmittedSpecs } from "./submitted-specs.ts";

export interface Viewer {
  readonly client: KubeClient;
  readonly caches: Pick<OperatorCaches, "pods">;
  readonly submittedSpecs: SubmittedSpecs;
  readonly rules: Rules;
  readonly mostTracked: number;
  /** Executors that a gateway has promised to an application's driver, by the names of their pods. */
  readonly promised: (application: SparkApplication) => readonly string[];
  readonly now: () => number;
}

/** All that is known of an application at this moment. */
export async function viewOf(
  { client, caches, submittedSpecs, rules, mostTracked, promised, now }: Viewer,
  stored: SparkApplication,
  driverInfo: DriverInfo,
): Promise<View> {
  // One time for the question and for the decision: between two, the grace period could end, and nobody would have asked.
  const nowMs = now();
  const pods = caches.pods.byIndex("application", keyOf(stored.metadata));
  const known = pods.filter((pod) => pod.role === "driver" && isDriverOf(pod, stored));
  const unseen = await unseenDriver(client, stored, known, nowMs - rules.driverPodCreationGracePeriodMs);
  if (unseen !== undefined) caches.pods.note(unseen);
  return {
    stored,
    application: withDefaults(stored),
    submitted: submittedSpecs.of(stored),
    drivers: unseen === undefined ? known : [...known, unseen],
    executors: {
      pods: pods.filter(({ role, submissionId }) => role === "executor" && submissionId === stored.status.submissionID),
      promised: promised(stored),
      mostTracked,
    },
    driverInfo,
    nowMs,
    rules,
  };
}

function isDriverOf({ ownerUids, submissionId }: PodRecord, { metadata, status }: SparkApplication): boolean {
  return ownerUids.includes(metadata.uid) || (submissionId !== "" && submissionId === status.submissionID);
}

/**
 * The driver that an application needs and that the watch does not show. A missing driver ends the run, so the API server
 * is asked first: the watch may be behind.
 */
async function unseenDriver(
  client: KubeClient,
  application: SparkApplication,
  known: readonly PodRecord[],
  graceStartedMs: number,
): Promise<PodRecord | undefined> {
  const { metadata, status } = application;
  const { podName = "" } = status.driverInfo;
  if (!needsDriver(application, graceStartedMs) || known.some(({ name }) => name === podName)) return undefined;
  try {
    const pod = podRecord(await client.get(resources.pods, podName, { namespace: metadata.namespace }));
    return pod !== undefined && isDriverOf(pod, application) ? pod : undefined;
  } catch (error) {
    // A proxy on the way may answer 404 too, and that must not end a run.
    if (isObjectNotFound(error, resources.pods, podName)) return undefined;
    throw error;
  }
}

function needsDriver({ status }: SparkApplication, graceStartedMs: number): boolean {
  const { state } = status.applicationState;
  if ((status.driverInfo.podName ?? "") === "") return false;
  const isLate = !(Date.parse(status.lastSubmissionAttemptTime ?? "") > graceStartedMs);
  return state === "RUNNING" || state === "UNKNOWN" || (state === "SUBMITTED" && isLate);
}
