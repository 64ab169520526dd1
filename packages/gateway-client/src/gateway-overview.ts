import type { ApplicationOverview, CapacityOverview, Overview, QueueOverview } from "./overview.ts";

/** An overview that was read from a gateway of any version: the parts of it that are shown. */
export interface GatewayOverview extends Pick<Overview, "at" | "queueFaults"> {
  readonly capacity: Omit<CapacityOverview, "kind"> & { readonly kind: string };
  /** Each queue comes before its children. */
  readonly queues: readonly QueueReport[];
  readonly applications: readonly QueuedApplication[];
}

export type QueueReport = Omit<QueueOverview, "priority">;

export interface QueuedApplication extends Omit<ApplicationOverview, "driver" | "state" | "virtualExecutors"> {
  readonly driverPod: string;
  /** As in `kindling list`: `SchedulingGated`, `Pending`, `Running`, or another word of a later gateway. */
  readonly state: string;
  /** Missing from older gateways. */
  readonly virtualExecutors?: readonly string[];
}
