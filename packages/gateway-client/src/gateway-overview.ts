import type { ApplicationOverview, CapacityOverview, Overview, QueueOverview } from "./overview.ts";

/** An overview as it was read, from a gateway of whatever age, as far as it is shown. */
export interface GatewayOverview extends Pick<Overview, "at" | "queueFaults"> {
  readonly capacity: Omit<CapacityOverview, "kind"> & { readonly kind: string };
  /** One comes before those below it. */
  readonly queues: readonly QueueReport[];
  readonly applications: readonly QueuedApplication[];
}

export type QueueReport = Omit<QueueOverview, "priority">;

export interface QueuedApplication extends Omit<ApplicationOverview, "driver" | "state" | "virtualExecutors"> {
  readonly driverPod: string;
  /** As `kindling list` has it: `SchedulingGated`, `Pending`, `Running`, or what a later gateway has to say. */
  readonly state: string;
  /** Older gateways do not tell them. */
  readonly virtualExecutors?: readonly string[];
}
