import { resources, type KubeClient } from "@kindling/kube";
import type { Event } from "kubernetes-types/core/v1.js";
import { age } from "../../output/age.ts";
import { table } from "../../output/table.ts";
import type { OperatedObject } from "./operated-object.ts";
import { countOf, textOf } from "./untrusted.ts";

/** An event that the operator has recorded about an object. */
export interface ObjectEvent {
  readonly uid: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** When it last happened, in RFC 3339. */
  readonly last: string | undefined;
}

/**
 * The events of an object, in the order in which they last happened.
 *
 * @throws KubeError
 */
export async function eventsOf(
  client: KubeClient,
  { metadata }: OperatedObject,
  signal: AbortSignal,
): Promise<ObjectEvent[]> {
  const { items } = await client.listAll(resources.events, {
    namespace: metadata?.namespace,
    fieldSelector: `involvedObject.uid=${metadata?.uid ?? ""}`,
    signal,
  });
  return items.map(objectEvent).toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** Current recorders fill `eventTime` and `series`, older ones the other fields. */
function objectEvent({ metadata, type, reason, message, count, series, eventTime, lastTimestamp }: Event): ObjectEvent {
  const created = textOf(eventTime) ?? textOf(metadata?.creationTimestamp);
  return {
    uid: metadata?.uid ?? "",
    type: textOf(type) ?? "Normal",
    reason: textOf(reason) ?? "",
    message: textOf(message) ?? "",
    count: countOf(series?.count) || countOf(count) || 1,
    last: textOf(series?.lastObservedTime) ?? textOf(lastTimestamp) ?? created,
  };
}

function timeOf({ last }: ObjectEvent): number {
  return last === undefined ? 0 : Date.parse(last) || 0;
}

/** A table of events. */
export function eventTable(events: readonly ObjectEvent[], now: number): string {
  const rows = events.map((event) => [age(event.last, now), event.type, event.reason, messageText(event)]);
  return table([["LAST SEEN", "TYPE", "REASON", "MESSAGE"], ...rows]);
}

/** One event in a line. */
export function eventLine(event: ObjectEvent): string {
  return [event.last ?? "", event.type, event.reason, messageText(event)].join("  ");
}

function messageText({ message, count }: ObjectEvent): string {
  return count > 1 ? `${message} (${count} times)` : message;
}
