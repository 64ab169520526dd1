// What is known about executor pods
export { ExecutorPodsSnapshotsStore } from "./snapshots/executor-pods-snapshots-store.ts";
export type { ExecutorPodsSource, ExecutorPodsSourceOptions } from "./snapshots/executor-pods-source.ts";
export {
  startExecutorPodsWatchSource,
  type ExecutorPodsWatchSource,
} from "./snapshots/executor-pods-watch-snapshot-source.ts";
export {
  startExecutorPodsPollingSource,
  type ExecutorPodsPollingOptions,
} from "./snapshots/executor-pods-polling-snapshot-source.ts";

// Actions on executor pods
export type { CreateOutcome } from "./actions/create-outcome.ts";
export type { ExecutorPods } from "./actions/executor-pods.ts";
export { kubeExecutorPods } from "./actions/kube-executor-pods.ts";
export type { KubeExecutorPodsOptions } from "./actions/kube-executor-pods-options.ts";
export type { ClaimBudget } from "./allocator/claim-budget.ts";
export { ClaimPool, type ClaimPoolOptions } from "./claims/claim-pool.ts";
export type { ExecutorResources } from "./claims/executor-claim.ts";

// Keeping the wanted number of executors
export type { ExecutorExit } from "./lifecycle/exit-reason.ts";
export type { SchedulerBackend } from "./backend/scheduler-backend.ts";
export { KubernetesSchedulerBackend, type SchedulerBackendOptions } from "./backend/kubernetes-scheduler-backend.ts";
export { schedulerSettings, type SchedulerSettings } from "./settings/scheduler-settings.ts";
