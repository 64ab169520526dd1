import type { Event } from "kubernetes-types/core/v1.js";
import { text } from "./untrusted.ts";

/** One event that the cluster has recorded about a pod. */
export interface PodEvent {
  /** The pod's uid and name. */
  readonly uid: string;
  readonly pod: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** The component that recorded it: default-scheduler, kubelet, … */
  readonly source: string;
  readonly count: number;
  /** RFC 3339 */
  readonly first: string | undefined;
  readonly last: string | undefined;
}

/**
 * Reads an event. Current recorders fill `eventTime` and `series`, the kubelet fills the older fields (Kubernetes,
 * events.k8s.io).
 */
export function podEvent(event: Event): PodEvent {
  const { involvedObject, type, reason, message, source, reportingComponent, count, series, eventTime } = event;
  const created = text(eventTime) ?? text(event.metadata?.creationTimestamp);
  return {
    uid: text(involvedObject?.uid) ?? "",
    pod: text(involvedObject?.name) ?? "",
    type: text(type) ?? "Normal",
    reason: text(reason) ?? "",
    message: text(message) ?? "",
    source: text(source?.component) ?? text(reportingComponent) ?? "",
    count: countOf(series?.count) ?? countOf(count) ?? 1,
    first: text(event.firstTimestamp) ?? created,
    last: text(series?.lastObservedTime) ?? text(event.lastTimestamp) ?? created,
  };
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}

/**
 * Events in the order in which they were last seen. Events of the same second stay in the order in which they came: the
 * kubelet reports only seconds, and the API server lists the events of a pod in the order of their names, which contain the
 * time.
 */
export function inOrder(events: readonly PodEvent[]): PodEvent[] {
  return [...events].sort((a, b) => timeOf(a) - timeOf(b));
}

function timeOf({ last }: PodEvent): number {
  return last === undefined ? 0 : Math.floor((Date.parse(last) || 0) / 1000);
}
