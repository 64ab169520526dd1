// Snapshots: what is known of executor pods
export { ExecutorPodsSnapshotsStore, type Subscription } from "./snapshots/executor-pods-snapshots-store.ts";
export type { SubscriberOptions } from "./snapshots/subscriber.ts";
export type { ExecutorPodsSnapshot, SnapshotChange, SnapshotDelivery } from "./snapshots/executor-pods-snapshot.ts";
export type { ExecutorPodsSource, ExecutorPodsSourceOptions } from "./snapshots/executor-pods-source.ts";
export {
  startExecutorPodsWatchSource,
  type ExecutorPodsWatchSource,
} from "./snapshots/executor-pods-watch-snapshot-source.ts";
export {
  startExecutorPodsPollingSource,
  type ExecutorPodsPollingOptions,
} from "./snapshots/executor-pods-polling-snapshot-source.ts";
export {
  DEFAULT_POD_OPTIONS,
  executorPod,
  type ExecutorId,
  type ExecutorPod,
  type ExecutorPodOptions,
  type ExecutorPodPhase,
  type ExecutorTermination,
} from "./pods/executor-pod.ts";

// Plans: pure
export type { Action, AllocatorAction, LifecycleAction } from "./actions/action.ts";
export type { AllocatorSettings, Backoff } from "./allocator/allocator-settings.ts";
export { NEW_ALLOCATOR, type AllocatorState, type Refusal, type RequestedPod } from "./allocator/allocator-state.ts";
export type { AllocationInput } from "./allocator/allocation-input.ts";
export { planAllocation, type AllocationPlan } from "./allocator/plan-allocation.ts";
export { afterCreations, type Creation } from "./allocator/after-creations.ts";
export type { CreateOutcome } from "./actions/create-outcome.ts";
export type { ClaimBudget } from "./allocator/claim-budget.ts";
export type { LifecycleSettings } from "./lifecycle/lifecycle-settings.ts";
export { NEW_LIFECYCLE, type Farewell, type LifecycleState } from "./lifecycle/lifecycle-state.ts";
export { planLifecycle, type LifecycleInput, type LifecyclePlan } from "./lifecycle/plan-lifecycle.ts";
export type { ExecutorExit, ExitKind } from "./lifecycle/exit-reason.ts";
export { schedulerSettings, type SchedulerSettings, type SourceSettings } from "./settings/scheduler-settings.ts";

// Policy: which executors of many applications are made real; pure
export { planAdmission } from "./policy/plan-admission.ts";
export {
  DEFAULT_POLICY_SETTINGS,
  type AdmissionPlan,
  type Decision,
  type DecommissionReason,
  type Holder,
  type HolderReason,
  type Limit,
  type PlannedNode,
  type PolicySettings,
  type PolicySnapshot,
  type Wait,
  type WaitKind,
  type WaitReason,
} from "./policy/admission-plan.ts";
export {
  type ApplicationDemand,
  type DriverDemand,
  type Leave,
  type MinimumExecutors,
  type PresentExecutor,
  waitingCount,
  type WaitingExecutor,
} from "./policy/application-demand.ts";
export { clusterNode, type Capacity, type ClusterNode } from "./policy/capacity.ts";
export { refusedGrowth, type Growth, type GrowthRefusal } from "./policy/growth.ts";
export { nodeBackoffs, type ExecutorEnd, type NodeBackoffSettings } from "./policy/node-backoff.ts";
export { ANYWHERE, type Placement, type PlacementTarget } from "./policy/placement.ts";
export type { PodResourceStatus, ResourcedPod, SeenResources } from "./policy/pod-resources.ts";
export { podShape, type PodShape } from "./policy/pod-shape.ts";
export { looksAtLabels, priorityIn, queueRefusal, queuesOf, type QueueRefusal } from "./policy/queue-access.ts";
export type { PriorityRange } from "./policy/priority-range.ts";
export { leafQueues, queuePath, type Queue, type QueueFloor, type QueuePreemption } from "./policy/queue.ts";
export { queueFaults, type QueueFault } from "./policy/queue-faults.ts";
export { namespaceQuota, type NamespaceQuota } from "./policy/quota.ts";
export {
  add,
  amountText,
  dominantShare,
  larger,
  multiply,
  NO_RESOURCES,
  readResources,
  subtract,
  sum,
  type ResourceLimits,
  type Resources,
} from "./policy/resources.ts";

// What carries them out
export type { ExecutorPods } from "./actions/executor-pods.ts";
export { kubeExecutorPods, type KubeExecutorPodsOptions } from "./actions/kube-executor-pods.ts";
export { ClaimPool, type ClaimPoolOptions } from "./claims/claim-pool.ts";
export type { ExecutorResources } from "./claims/executor-claim.ts";
export { ExecutorPodsAllocator, type ExecutorPodsAllocatorOptions } from "./allocator/executor-pods-allocator.ts";
export {
  ExecutorPodsLifecycleManager,
  type ExecutorPodsLifecycleManagerOptions,
} from "./lifecycle/executor-pods-lifecycle-manager.ts";
export type { SchedulerBackend } from "./backend/scheduler-backend.ts";
export { KubernetesSchedulerBackend, type SchedulerBackendOptions } from "./backend/kubernetes-scheduler-backend.ts";
