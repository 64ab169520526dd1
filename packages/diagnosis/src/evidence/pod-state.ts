import {
  connectSessions,
  type ConnectSessions,
  MEMORY_RECORD_ANNOTATION,
  SCHEDULER_DRIVER_RESTART_ANNOTATION,
  SCHEDULER_LAST_END_ANNOTATION,
  SCHEDULER_RESTART_AT_ANNOTATION,
  SCHEDULER_RESTART_FINALIZER,
  SCHEDULER_RESTARTS_ANNOTATION,
} from "@kindling/core-spec";
import type { ContainerStatus, Pod as KubernetesPod } from "kubernetes-types/core/v1.js";
import { sparkContainer } from "./spark-container.ts";
import { listOf, text } from "./untrusted.ts";

/** What a pod's object shows about its state. */
export interface PodState {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly created: string | undefined;
  readonly serviceAccount: string | undefined;
  readonly volumes: readonly string[];
  /** The gates that hold the pod back from schedulers. */
  readonly schedulingGates: readonly string[];
  /** The scheduler that finds a node for it: default-scheduler, volcano, yunikorn, … */
  readonly scheduler: string | undefined;
  /**
   * The container that runs Spark: by its usual name, else by the variables that Spark sets in it, else the last one, because
   * Spark puts it there.
   */
  readonly sparkContainer: string | undefined;
  /** The command of this container instead of the image's entry point: Spark itself sets none. */
  readonly command: readonly string[];
  readonly node: string | undefined;
  readonly started: string | undefined;
  /** The pod's own phase; sidecars delay its end. {@link applicationPhase} is the application's phase. */
  readonly phase: string;
  /** Whether an ended container is started again: Never, as Spark sets it, OnFailure, or Always. */
  readonly restartPolicy: string | undefined;
  /** The reason for the pod's phase, if the cluster gives one: Evicted, Unschedulable, … */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly deleting: boolean;
  /** Why the cluster ends the pod, if it does: the condition DisruptionTarget. */
  readonly disruption: PodDisruption | undefined;
  /** The restarts of a driver that the gateway starts again when it ends; undefined for any other pod. */
  readonly restart: DriverRestart | undefined;
  /** What a gateway has done about executors, or earlier drivers, that ended for lack of memory; undefined if nothing. */
  readonly memory: HealedMemory | undefined;
  /** The sessions of Spark Connect that a driver is for; undefined unless kindling-connect has made it. */
  readonly connect: ConnectSessions | undefined;
  readonly initContainers: readonly ContainerState[];
  readonly containers: readonly ContainerState[];
}

/** What a driver pod shows about restarts by the gateway. */
export interface DriverRestart {
  /** How often the driver has been started again. */
  readonly count: number;
  /** How the driver before it ended. */
  readonly lastEnd: string | undefined;
  /** The time when it is started again, RFC 3339, if it has ended and will be started again. */
  readonly at: string | undefined;
  /** Whether the gateway has not yet decided what comes next. */
  readonly isHeld: boolean;
}

/** What a gateway has recorded on a driver about memory (spark.kindling.memory). */
export interface HealedMemory {
  readonly words: string;
  /** Whether executors cannot be made larger any more. */
  readonly isExhausted: boolean;
}

export interface PodDisruption {
  /** PreemptionByScheduler, DeletionByTaintManager, EvictionByEvictionAPI, TerminationByKubelet, DeletionByPodGC */
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/** How a container ended. */
export interface Termination {
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
  readonly exitCode: number;
  readonly reason: string | undefined;
  /** The text in its termination log. */
  readonly message: string | undefined;
}

export type ContainerState = {
  readonly name: string;
  readonly image: string;
  /** How often it was started again. */
  readonly restarts: number;
  /** How it ended before it was started again. */
  readonly last: Termination | undefined;
} & (
  | { readonly state: "running"; readonly startedAt: string | undefined }
  | { readonly state: "waiting"; readonly reason: string | undefined; readonly message: string | undefined }
  | ({ readonly state: "terminated" } & Termination)
  | { readonly state: "unknown" }
);

/**
 * Reads the relevant parts of a pod in a form that may be shown, because kubelets, controllers and everybody who may patch a
 * pod write into it. Values of a wrong type are left out.
 */
export function podState(pod: KubernetesPod): PodState {
  const { metadata, spec, status } = pod;
  const failed = (type: string, value: string) =>
    listOf(status?.conditions).find((condition) => condition.type === type && condition.status === value);
  const unschedulable = failed("PodScheduled", "False");
  const disruption = failed("DisruptionTarget", "True");
  const spark = sparkContainer(pod);
  return {
    name: text(metadata?.name) ?? "",
    namespace: text(metadata?.namespace) ?? "",
    uid: text(metadata?.uid) ?? "",
    labels: shown(metadata?.labels),
    created: text(metadata?.creationTimestamp),
    serviceAccount: text(spec?.serviceAccountName),
    volumes: listOf(spec?.volumes).map((volume) => text(volume.name) ?? ""),
    schedulingGates: listOf(spec?.schedulingGates).map((gate) => text(gate.name) ?? ""),
    scheduler: text(spec?.schedulerName),
    sparkContainer: spark,
    command: commandOf(listOf(spec?.containers).find((container) => text(container.name) === spark)?.command),
    node: text(spec?.nodeName),
    started: text(status?.startTime),
    phase: text(status?.phase) ?? "unknown",
    restartPolicy: text(spec?.restartPolicy),
    reason: text(status?.reason) ?? text(unschedulable?.reason),
    message: text(status?.message) ?? text(unschedulable?.message),
    deleting: metadata?.deletionTimestamp !== undefined,
    disruption: disruption && { reason: text(disruption.reason), message: text(disruption.message) },
    restart: driverRestart(pod),
    memory: healedMemory(metadata?.annotations?.[MEMORY_RECORD_ANNOTATION]),
    connect: connectSessions({ labels: shown(metadata?.labels), annotations: shown(metadata?.annotations) }),
    initContainers: listOf(status?.initContainerStatuses).map(containerState),
    containers: listOf(status?.containerStatuses).map(containerState),
  };
}

function shown(entries: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [text(key) ?? "", text(value) ?? ""]));
}

function driverRestart({ metadata }: KubernetesPod): DriverRestart | undefined {
  const { annotations = {}, finalizers } = metadata ?? {};
  const count = Number(annotations[SCHEDULER_RESTARTS_ANNOTATION] ?? 0);
  const isHeld = Array.isArray(finalizers) && finalizers.includes(SCHEDULER_RESTART_FINALIZER);
  if (annotations[SCHEDULER_DRIVER_RESTART_ANNOTATION] === undefined && !isHeld) return undefined;
  return {
    count: Number.isInteger(count) ? count : 0,
    lastEnd: text(annotations[SCHEDULER_LAST_END_ANNOTATION]),
    at: text(annotations[SCHEDULER_RESTART_AT_ANNOTATION]),
    isHeld,
  };
}

function healedMemory(annotation: unknown): HealedMemory | undefined {
  if (typeof annotation !== "string") return undefined;
  try {
    const record: unknown = JSON.parse(annotation);
    if (typeof record !== "object" || record === null) return undefined;
    const words = "words" in record ? text(record.words) : undefined;
    return words === undefined || words === ""
      ? undefined
      : { words, isExhausted: "isExhausted" in record && record.isExhausted === true };
  } catch {
    return undefined;
  }
}

function commandOf(command: readonly unknown[] | undefined): readonly string[] {
  return Array.isArray(command) ? command.flatMap((word) => text(word) ?? []) : [];
}

function containerState({ name, image, state, lastState, restartCount }: ContainerStatus): ContainerState {
  const container = {
    name: text(name) ?? "",
    image: text(image) ?? "",
    restarts: Number.isInteger(restartCount) ? restartCount : 0,
    last: lastState?.terminated && termination(lastState.terminated),
  };
  if (state?.running) return { ...container, state: "running", startedAt: text(state.running.startedAt) };
  if (state?.terminated) return { ...container, state: "terminated", ...termination(state.terminated) };
  if (!state?.waiting) return { ...container, state: "unknown" };
  return { ...container, state: "waiting", reason: text(state.waiting.reason), message: text(state.waiting.message) };
}

// The limit of what a kubelet reads (Kubernetes, "Determine the Reason for Pod Failure"); the localizer's message is JSON,
// and not longer.
const MOST_TERMINATION_BYTES = 4096;

type Terminated = NonNullable<NonNullable<ContainerStatus["state"]>["terminated"]>;

function termination({ startedAt, finishedAt, exitCode, reason, message }: Terminated): Termination {
  return {
    startedAt: text(startedAt),
    finishedAt: text(finishedAt),
    exitCode: Number.isInteger(exitCode) ? exitCode : 1,
    reason: text(reason),
    message: text(message, MOST_TERMINATION_BYTES),
  };
}
