import type { ApplicationOverview, Overview } from "@kindling/gateway-client";

/** Which applications a visitor wants to see. */
export interface Filter {
  /** Those of this queue and of those below it; undefined: of all. */
  readonly queue: string | undefined;
  readonly onlyWaiting: boolean;
}

/** Reads the query of the page's address; what it does not know it passes over. */
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
