import { type ClusterAccess, createKubeClient, type KubeClient } from "@kindling/kube";
import { systemClock } from "@kindling/outside";
import { aPod } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Pod } from "kubernetes-types/core/v1.js";
import { onTestFinished } from "vitest";
import type { AllocatorSettings } from "../../src/allocator/allocator-settings.ts";
import {
  type ExecutorExit,
  type ExecutorResources,
  ExecutorPodsSnapshotsStore,
  kubeExecutorPods,
  KubernetesSchedulerBackend,
  type KubeExecutorPodsOptions,
  type SchedulerBackendOptions,
  startExecutorPodsWatchSource,
} from "../../src/index.ts";
import type { LifecycleSettings } from "../../src/lifecycle/lifecycle-settings.ts";

export const NAMESPACE = "spark-jobs";
export const APPLICATION = "spark-0123";

/** A backend with its source and an embedded cluster whose pods run at once. */
export interface ServedExecutors {
  readonly cluster: TestCluster;
  readonly client: KubeClient;
  readonly backend: KubernetesSchedulerBackend;
  readonly exits: ExecutorExit[];
  readonly errors: unknown[];
  /** The ids of the executor pods in a phase. */
  ids(phase?: string): Promise<number[]>;
  /** Waits until exactly these run, and nothing else is there. */
  areRunning(...ids: readonly number[]): Promise<void>;
  stop(): Promise<void>;
}

/** Spark's times, but shorter. */
export const ALLOCATOR: AllocatorSettings = {
  batchDelayMs: 50,
  batchSize: 5,
  maxPendingPods: 100,
  maxPendingPodsPerProfile: 100,
  podCreationTimeoutMs: 600_000,
  executorIdleTimeoutMs: 200,
  maximum: 1_000,
  deleteOnTermination: true,
  backoff: { firstMs: 50, longestMs: 200 },
};

export const LIFECYCLE: LifecycleSettings = {
  eventProcessingIntervalMs: 50,
  deleteOnTermination: true,
  missingPodDetectDeltaMs: 200,
  removedCacheMs: 180_000,
  deleteGracePeriodMs: 100,
  maxExecutorFailures: 2,
  failuresValidityMs: undefined,
};

/** A pod that does nothing, with an executor's labels. */
export function executor(id: number, profileId: number): ExecutorResources {
  const pod = aPod(`exec-${id}`)
    .executor(id, APPLICATION)
    .labels({ "spark-exec-resourceprofile-id": String(profileId) })
    .spec({ restartPolicy: "Never" });
  return { pod: pod.build(), claims: [] };
}

export async function startCluster(): Promise<{ cluster: TestCluster; client: KubeClient }> {
  const cluster = await TestCluster.start();
  const access: ClusterAccess = {
    ...{ origin: "options", server: cluster.url, namespace: NAMESPACE, contextName: undefined, proxy: undefined },
    tls: { ca: undefined, servername: undefined, insecureSkipVerify: false },
    credentials: { description: "nobody", current: () => ({}), reject: () => undefined },
  };
  const client = createKubeClient(access, { namespace: NAMESPACE });
  onTestFinished(() => client.close());
  return { cluster, client };
}

/** Starts a backend on a cluster. Settings that are left out have the values above. */
export function serve(
  { cluster, client }: Pick<ServedExecutors, "cluster" | "client">,
  options: Partial<SchedulerBackendOptions> & Partial<KubeExecutorPodsOptions> = {},
): ServedExecutors {
  const clock = systemClock;
  const store = new ExecutorPodsSnapshotsStore({ clock });
  const source = startExecutorPodsWatchSource({ client, namespace: NAMESPACE, clock });
  source.attach(APPLICATION, store);
  const errors: unknown[] = [];
  const exits: ExecutorExit[] = [];
  const backend = new KubernetesSchedulerBackend({
    ...{ store, allocator: ALLOCATOR, lifecycle: LIFECYCLE, clock, onError: (error) => errors.push(error) },
    pods: kubeExecutorPods({ client, namespace: NAMESPACE, applicationId: APPLICATION, build: executor, ...options }),
    ...options,
  });
  backend.onExecutorRemoved((exit) => exits.push(exit));
  backend.start();

  const stop = async (): Promise<void> => {
    await backend.stop();
    await source.stop();
  };
  onTestFinished(stop);

  async function pods(): Promise<Pod[]> {
    return (await cluster.objects<Pod>("Pod")).filter(({ metadata }) => metadata?.namespace === NAMESPACE);
  }
  const ids = async (phase?: string): Promise<number[]> =>
    (await pods())
      .filter(({ status }) => phase === undefined || status?.phase === phase)
      .map(({ metadata }) => Number(metadata?.labels?.["spark-exec-id"]))
      .toSorted((one, other) => one - other);
  const areRunning = async (...wanted: readonly number[]): Promise<void> => {
    await eventually(async () => {
      const [all, running] = await Promise.all([ids(), ids("Running")]);
      const are = (found: readonly number[]): boolean => found.join() === wanted.join();
      if (!are(all) || !are(running)) throw new Error(`${running.join()} run of ${all.join()}, not ${wanted.join()}`);
    });
  };
  return { cluster, client, backend, exits, errors, ids, areRunning, stop };
}
