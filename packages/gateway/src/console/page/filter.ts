import type { ApplicationOverview, Overview } from "@kindling/gateway-client";

/** Which applications a visitor wants to see. */
export interface Filter {
  /** Applications of this queue and of the queues below it; undefined: of all queues. */
  readonly queue: string | undefined;
  readonly onlyWaiting: boolean;
}

/** Reads the query of the page's address; unknown parameters are ignored. */
export function filterOf(query: URLSearchParams): Filter {
  const queue = query.get("queue") ?? "";
  return { queue: queue === "" ? undefined : queue, onlyWaiting: query.get("show") === "waiting" };
}

export function selected({ applications }: Overview, { queue, onlyWaiting }: Filter): readonly ApplicationOverview[] {
  return applications.filter(
    (application) =>
      (queue === undefined || isInQueue(application.queue, queue)) && (!onlyWaiting || isWaiting(application)),
  );
}

function isWaiting({ waits, executors, state }: ApplicationOverview): boolean {
  return waits.length > 0 || executors.waiting > 0 || state === "SchedulingGated";
}

function isInQueue(own: string, queue: string): boolean {
  return own === queue || own.startsWith(`${queue}.`);
}
