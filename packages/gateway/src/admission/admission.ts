import type { KubeObject } from "@kindling/api-server";

/** An executor as admission sees it. */
export interface RequestedPod {
  /** The uid that the driver knows it by. */
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** The uid of the driver pod. */
  readonly application: string;
  /** Milliseconds since the epoch. */
  readonly requested: number;
  /** As the driver asked for it. */
  readonly pod: KubeObject;
}

/** What is asked for at one moment, of all applications. */
export interface AdmissionSnapshot {
  /** In the order in which they were asked for. */
  readonly waiting: Iterable<RequestedPod>;
  /** How many executors of an application have been admitted and not ended, by the uid of the driver pod. */
  readonly admitted: (application: string) => number;
}

export interface AdmissionDecision {
  /** Which pods are made now, in this order, by their uids. */
  readonly admit: readonly string[];
  /** Why others wait, for the people who look at their pods: one line each, by uid. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** Decides which executors are made. A pure function: what it needs to know beside the snapshot it was made with. */
export type Admission = (snapshot: AdmissionSnapshot) => AdmissionDecision;

/** Makes every executor as soon as it is asked for. */
export const admitAll: Admission = ({ waiting }) => ({
  admit: [...waiting].map(({ uid }) => uid),
  reasons: new Map(),
});
