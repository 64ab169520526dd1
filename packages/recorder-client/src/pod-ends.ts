/** A pod of an executor that is to be deleted. */
export interface AskedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Set if its executor still runs. Then nobody waits for its end, but until its log is followed. */
  readonly running?: true;
}

/**
 * How far the end of a pod is recorded: its log has been read to its end, or it is being read while it is written, or it was not
 * read in time, or the recorder knows no such executor.
 */
export type PodEnd = "recorded" | "followed" | "unread" | "unknown";

/** The same, or the log may still be read in time: then the recorder is to be asked again. */
export type PodEndSoFar = PodEnd | "open";

export const POD_ENDS: readonly PodEndSoFar[] = ["recorded", "followed", "unread", "unknown", "open"];

/** So many pods may be in one question. */
export const MOST_ASKED_PODS = 500;

export interface PodEndsQuestion {
  readonly pods: readonly AskedPod[];
  /** Whether the answer waits for all of the pods, or is worth having with some of them. Default: all. */
  readonly waitFor?: "all" | "some";
}

/** Only an answer that did not wait for all of the pods has some that are `open`. */
export interface PodEndsAnswer {
  readonly pods: readonly { readonly uid: string; readonly end: PodEndSoFar }[];
}

/** Reads an answer, by uid; pods with an end that is not understood are left out. */
export function readPodEnds(value: unknown): ReadonlyMap<string, PodEndSoFar> {
  const ends = new Map<string, PodEndSoFar>();
  const list: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "pods") : undefined;
  for (const entry of Array.isArray(list) ? (list as readonly unknown[]) : []) {
    if (typeof entry !== "object" || entry === null || !("uid" in entry) || !("end" in entry)) continue;
    const end = POD_ENDS.find((one) => one === entry.end);
    if (typeof entry.uid === "string" && end !== undefined) ends.set(entry.uid, end);
  }
  return ends;
}
