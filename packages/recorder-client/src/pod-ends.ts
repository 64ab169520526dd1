/** A pod of an executor that is to be deleted. */
export interface AskedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Set if its executor still runs. Then nobody waits for its end, but until its log is followed. */
  readonly running?: true;
}

export const POD_ENDS = ["recorded", "followed", "unread", "unknown"] as const;

/**
 * How far the end of a pod is recorded: its log has been read to its end, or it is being read while it is written, or it was not
 * read in time, or the recorder knows no such executor.
 */
export type PodEnd = (typeof POD_ENDS)[number];

/** So many pods may be in one question. */
export const MOST_ASKED_PODS = 500;

/** The member of a question or an answer with the list. */
export interface PodEndsQuestion {
  readonly pods: readonly AskedPod[];
}

export interface PodEndsAnswer {
  readonly pods: readonly { readonly uid: string; readonly end: PodEnd }[];
}

/** Reads an answer, by uid; pods with an end that is not understood are left out. */
export function readPodEnds(value: unknown): ReadonlyMap<string, PodEnd> {
  const ends = new Map<string, PodEnd>();
  const list: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "pods") : undefined;
  for (const entry of Array.isArray(list) ? (list as readonly unknown[]) : []) {
    if (typeof entry !== "object" || entry === null || !("uid" in entry) || !("end" in entry)) continue;
    const end = POD_ENDS.find((one) => one === entry.end);
    if (typeof entry.uid === "string" && end !== undefined) ends.set(entry.uid, end);
  }
  return ends;
}
