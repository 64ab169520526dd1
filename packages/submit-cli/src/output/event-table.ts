import type { PodEvent } from "@kindling/submit";
import { age } from "./age.ts";
import { table } from "./table.ts";

const MOST_EVENTS = 20;

/** The latest events of an application's pods, in order; empty if there are none. */
export function eventTable(events: readonly PodEvent[], driverPod: string, now: number): string {
  const rows = events
    .slice(-MOST_EVENTS)
    .map((event) => [
      age(event.last, now),
      event.pod === driverPod ? "driver" : event.pod,
      event.reason,
      `${event.message}${timesText(event)}`,
    ]);
  return rows.length === 0 ? "" : table([["LAST SEEN", "POD", "EVENT", "MESSAGE"], ...rows]);
}

function timesText({ count }: PodEvent): string {
  return count > 1 ? ` (${count} times)` : "";
}
