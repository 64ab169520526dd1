// The decisions
export { planAdmission } from "./plan-admission.ts";
export {
  DEFAULT_POLICY_SETTINGS,
  type AdmissionPlan,
  type Decision,
  type DecommissionReason,
  type Holder,
  type HolderReason,
  type Limit,
  type PolicySettings,
  type PolicySnapshot,
  type RefusingClass,
  type Wait,
} from "./admission-plan.ts";
export { refusedGrowth, type Growth, type GrowthRefusal } from "./growth.ts";

// The input of decisions: applications
export {
  type ApplicationDemand,
  type KeptPod,
  type Leave,
  type PresentExecutor,
  waitingCount,
} from "./application-demand.ts";
export type { PodResourceStatus, ResourcedPod, SeenResources } from "./pod-resources.ts";
export { podShape, type PodShape } from "./pod-shape.ts";
export { ANYWHERE, mayBePlaced, type Placement } from "./placement.ts";

// Room: nodes and quotas
export { clusterNode, type Capacity, type ClusterNode } from "./capacity.ts";
export { nodeBackoffs, type ExecutorEnd, type NodeBackoffSettings } from "./node-backoff.ts";
export { namespaceQuota, type NamespaceQuota } from "./quota.ts";

// Nodes that may still come
export { type Avoidance, isOfClass, type NodeClass } from "./nodes-to-come/node-class.ts";
export { type ClassRefusal, classRefusal, limitRefusal } from "./nodes-to-come/class-refusal.ts";
export { ANY_VALUE, commonValues, type LabelValues, oneValue, permittedValues } from "./nodes-to-come/label-values.ts";

// Spot nodes
export { type CapacityType, excessType, nextCapacityType, type SpotMix } from "./spot/spot-mix.ts";

// Queues
export {
  isOnDemandPart,
  queuePath,
  type Queue,
  type QueuePreemption,
  type QueueProtection,
  type SpotRule,
} from "./queue.ts";
export {
  looksAtLabels,
  priorityIn,
  protectionIn,
  queueRefusal,
  queuesOf,
  type QueueRefusal,
  spotIn,
} from "./queue-access.ts";
export { queueFaults } from "./queue-faults.ts";

// Amounts
export {
  add,
  amountText,
  dominantShare,
  fits,
  larger,
  multiply,
  NO_RESOURCES,
  readResources,
  subtract,
  sum,
  type Resources,
} from "./resources.ts";
