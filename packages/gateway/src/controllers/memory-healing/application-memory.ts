import type { KubeObject } from "@kindling/kube-objects";
import { EXECUTOR_MEMORY_ANNOTATION } from "../../spark/marks.ts";
import { deletedAsSeen } from "../../spark/spark-pod.ts";
import { jsonObjectIn, objectAt } from "../../json/fields.ts";
import { executorSize, isAtLeast, readSize, safer, withSize } from "../../healing/executor-size.ts";
import { memoryRecord, profileOf, type ProfileRecord, unchanged } from "../../healing/memory-record.ts";
import type { MemoryWish } from "../../healing/memory-wish.ts";
import type { MemoryDecision } from "./decide-growth.ts";

/** What is known about the memory of one application's executors. */
export interface ApplicationMemory {
  readonly wish: MemoryWish;
  /** By resource profile. */
  readonly profiles: Map<string, ProfileRecord>;
  /** What was decided about executors that have ended, by their uids in the cluster. */
  readonly verdicts: Map<string, Verdict>;
}

/** How the end of an executor is shown to its driver. */
export type Verdict =
  /** Its log is being read: the end is not shown yet. */
  | { readonly kind: "pending" }
  /** As the cluster has it: it was not the memory. */
  | { readonly kind: "as-is" }
  /** Failed, with these words; Spark counts it. */
  | { readonly kind: "failed"; readonly words: string }
  /** Deleted: Spark does not count that, because executors that are made now are larger. */
  | { readonly kind: "replaced" };

/**
 * What is known from the pods in the cluster: the record on the driver's pod, and what executors say that were made larger. A
 * record that an earlier gateway could not write any more is completed by them.
 */
export function knownMemory(driver: KubeObject, executors: readonly KubeObject[], wish: MemoryWish): ApplicationMemory {
  const profiles = new Map(memoryRecord(driver));
  for (const executor of executors) {
    const size = executorSize(executor);
    const made = jsonObjectIn(executor.metadata.annotations?.[EXECUTOR_MEMORY_ANNOTATION]);
    const first = readSize(made?.["first"]);
    if (size === undefined || first === undefined) continue;
    const id = profileOf(executor);
    const known = profiles.get(id);
    const raises = typeof made?.["raises"] === "number" ? made["raises"] : 1;
    if (known !== undefined && isAtLeast(known.now, size)) continue;
    profiles.set(id, {
      first: known?.first ?? first,
      now: known === undefined ? size : safer(known.now, size),
      raises: Math.max(raises, known?.raises ?? 0),
      counted: known?.counted ?? 0,
      words: known?.words ?? "",
      isExhausted: known?.isExhausted ?? false,
    });
  }
  return { wish, profiles, verdicts: new Map() };
}

/**
 * Notes the size with which executors of a profile began, if that is not known.
 *
 * @returns whether something was noted
 */
export function noteBeginning(executor: KubeObject, { profiles }: Pick<ApplicationMemory, "profiles">): boolean {
  const size = executorSize(executor);
  const profile = profileOf(executor);
  if (size === undefined || profiles.has(profile)) return false;
  profiles.set(profile, unchanged(size));
  return true;
}

/** An executor as its driver asks for it, with the memory that executors of its profile get now. */
export function grown(pod: KubeObject, { profiles }: Pick<ApplicationMemory, "profiles">): KubeObject {
  const record = profiles.get(profileOf(pod));
  const asked = executorSize(pod);
  if (record === undefined || record.raises === 0 || asked === undefined) return pod;
  const size = safer(record.now, asked);
  const annotations = {
    ...pod.metadata.annotations,
    [EXECUTOR_MEMORY_ANNOTATION]: JSON.stringify({ first: record.first, raises: record.raises }),
  };
  return withSize({ ...pod, metadata: { ...pod.metadata, annotations } }, size);
}

/** Spark counts an end if nothing helps any more, or if this is the attempt for its size. */
export function verdictOf({ kind, words, isCounted }: MemoryDecision): Verdict {
  return kind === "exhausted" || isCounted ? { kind: "failed", words } : { kind: "replaced" };
}

/** What the driver sees of an executor that has ended; `undefined`: nothing new yet. */
export function shownAs(pod: KubeObject, verdict: Verdict): KubeObject | undefined {
  switch (verdict.kind) {
    case "pending":
      return undefined;
    case "as-is":
      return pod;
    case "failed": {
      return { ...pod, status: { message: verdict.words, ...objectAt(pod, "status") } };
    }
    case "replaced":
      return deletedAsSeen(pod);
  }
}
