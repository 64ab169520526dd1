import type { KubeClient, KubeError } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { Pod } from "kubernetes-types/core/v1.js";
import { executorPod, type ExecutorPodOptions } from "../pods/executor-pod.ts";
import { APPLICATION_LABEL, EXECUTORS } from "../pods/labels.ts";
import type { ApplicationPod } from "./attached-stores.ts";
import type { ExecutorPodsSnapshotsStore } from "./executor-pods-snapshots-store.ts";

export interface ExecutorPodsSourceOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Further label requirements, such as one application's id; default: the executors of all applications. */
  readonly labelSelector?: string | undefined;
  /** How the state of a pod is to be read. */
  readonly podOptions?: ((pod: Pod) => ExecutorPodOptions) | undefined;
  /** Told of each fault; the source goes on by itself. */
  readonly onError?: ((error: KubeError) => void) | undefined;
  readonly clock: Clock;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: (() => number) | undefined;
}

/** Tells stores of the executor pods of one namespace: any number of applications, one stream of requests. */
export interface ExecutorPodsSource {
  /** From now on the store is told of the pods of an application; the result ends that. */
  attach(applicationId: string, store: ExecutorPodsSnapshotsStore): () => void;
  /** Resolves when the store will not be told of anything more. */
  stop(): Promise<void>;
}

/** The selector of a source's requests. */
export function sourceSelector(labelSelector: string | undefined): string {
  return labelSelector === undefined ? EXECUTORS : `${EXECUTORS},${labelSelector}`;
}

/** What a source keeps of a pod; `undefined` for one that is no executor of an application, or has no id yet. */
export function applicationPod(pod: Pod, options: ExecutorPodOptions): ApplicationPod | undefined {
  const applicationId = pod.metadata?.labels?.[APPLICATION_LABEL];
  const executor = executorPod(pod, options);
  return applicationId === undefined || executor === undefined ? undefined : { applicationId, pod: executor };
}
