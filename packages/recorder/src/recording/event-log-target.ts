import type { EventLogSpool } from "../spool/event-log-spool.ts";

/** Where the event log of a driver goes. */
export interface EventLogTarget {
  readonly log: EventLogSpool;
  /** Whether the driver's container has ended, or its pod is gone. */
  readonly hasDriverEnded: () => boolean;
  /** Called when all of it has arrived. */
  readonly onComplete: () => void;
}

/** By the uid of the driver's pod; `undefined` for a driver that is not known, or that is stored already. */
export type EventLogTargets = (uid: string) => Promise<EventLogTarget | undefined>;
