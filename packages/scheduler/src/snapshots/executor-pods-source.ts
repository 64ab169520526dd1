import type { KubeClient, KubeError } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { Pod } from "kubernetes-types/core/v1.js";
import { executorPod, type ExecutorPodOptions } from "../executor-pod/executor-pod.ts";
import { APPLICATION_LABEL, EXECUTORS } from "../executor-pod/labels.ts";
import type { ApplicationPod } from "./attached-stores.ts";
import type { ExecutorPodsSnapshotsStore } from "./executor-pods-snapshots-store.ts";

export interface ExecutorPodsSourceOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Further label requirements, such as one application's id; default: the executors of all applications. */
  readonly labelSelector?: string | undefined;
  /** How to read the state of a pod. */
  readonly podOptions?: ((pod: Pod) => ExecutorPodOptions) | undefined;
  /** Told of each fault; the source continues by itself. */
  readonly onError?: ((error: KubeError) => void) | undefined;
  readonly clock: Clock;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: (() => number) | undefined;
}

/** Fills stores with the executor pods of one namespace: for any number of applications with one series of requests. */
export interface ExecutorPodsSource {
  /** From now on the store gets the pods of an application, until the result is called. */
  attach(applicationId: string, store: ExecutorPodsSnapshotsStore): () => void;
  /** Resolves when the stores will get no more changes. */
  stop(): Promise<void>;
}

/** The selector of a source's requests. */
export function sourceSelector(labelSelector: string | undefined): string {
  return labelSelector === undefined ? EXECUTORS : `${EXECUTORS},${labelSelector}`;
}

/** The part of a pod that a source keeps; `undefined` if it is not an application's executor, or has no id yet. */
export function applicationPod(pod: Pod, options: ExecutorPodOptions): ApplicationPod | undefined {
  const applicationId = pod.metadata?.labels?.[APPLICATION_LABEL];
  const executor = executorPod(pod, options);
  return applicationId === undefined || executor === undefined ? undefined : { applicationId, pod: executor };
}
