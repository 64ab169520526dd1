/** Amounts by resource: `cpu` in thousandths of a processor, `memory` in bytes, others by number. */
export type Amounts = Readonly<Record<string, number>>;

/** What a gateway tells of itself at `/api/overview`, as far as it is shown. */
export interface GatewayOverview {
  /** Milliseconds since the epoch, as all times here. */
  readonly at: number;
  readonly capacity: {
    readonly kind: string;
    readonly nodes: number;
    readonly total: Amounts;
    readonly used: Amounts;
    readonly usedByOthers: Amounts;
  };
  /** One comes before those below it. */
  readonly queues: readonly QueueReport[];
  /** What is wrong with the queues, in sentences. */
  readonly queueFaults: readonly string[];
  readonly applications: readonly QueuedApplication[];
}

export interface QueueReport {
  readonly path: string;
  readonly parent: string;
  readonly weight: number;
  readonly guarantee: Amounts;
  readonly ceiling: Amounts;
  /** Whose applications may be in it, in words; missing where all may. */
  readonly namespaces?: string;
  readonly used: Amounts;
  /** Of the capacity, from 0 to 1. */
  readonly share: number;
  readonly applications: { readonly SchedulingGated: number; readonly Pending: number; readonly Running: number };
  readonly waitingExecutors: number;
}

export interface QueuedApplication {
  readonly namespace: string;
  readonly id: string;
  readonly name: string;
  readonly driverPod: string;
  readonly queue: string;
  readonly priority: number;
  /** As `kindling list` has it: `SchedulingGated`, `Pending`, `Running`, or what a later gateway has to say. */
  readonly state: string;
  readonly since: number;
  readonly minimumExecutors: number;
  readonly executors: {
    readonly waiting: number;
    readonly admitted: number;
    readonly pending: number;
    readonly running: number;
    readonly leaving: number;
  };
  /** Executors that are not in the cluster yet, by the names of their pods. Older gateways do not tell them. */
  readonly virtualExecutors?: readonly string[];
  readonly used: Amounts;
  /** Sentences that say why it waits. */
  readonly waits: readonly string[];
}
