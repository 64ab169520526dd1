import type { HealedMemory } from "../evidence/pod-state.ts";
import type { Cause, Finding } from "../finding.ts";

/** Ends of executors that a gateway deals with. */
const OF_MEMORY: ReadonlySet<Cause> = new Set([
  "OOMKilled",
  "Killed",
  "JavaHeapFull",
  "JavaMemoryFull",
  "PythonMemoryFull",
]);

const ADVICE =
  "raise what limits it, or let each task take less at a time: more partitions (spark.sql.shuffle.partitions), smaller batches, " +
  "fewer tasks in one executor (spark.executor.cores)";

/**
 * The findings about an application whose executors a gateway makes larger (spark.kindling.memory): it has an answer to those
 * that ended for lack of memory, until there is no more.
 */
export function withHealing(findings: readonly Finding[], healed: HealedMemory | undefined): readonly Finding[] {
  if (healed === undefined) return findings;
  const others = findings.filter((one) => one.severity === "failure" || !isDealtWith(one));
  if (!healed.isExhausted) return others;
  const [first, ...rest] = others;
  if (first?.severity !== "failure") return [exhausted(healed), ...others];
  const isTheReason = isDealtWith(first) || first.cause === "ExecutorsFailing";
  return isTheReason ? [{ ...exhausted(healed), severity: "failure", details: first.details }, ...rest] : others;
}

function isDealtWith({ role, cause, word }: Finding): boolean {
  return OF_MEMORY.has(cause) || (role === "executor" && word === "lost");
}

function exhausted({ words }: HealedMemory): Finding {
  return {
    ...{ cause: "MemoryExhausted", severity: "obstacle", word: "MemoryExhausted", role: "executor" },
    ...{ pods: [], container: undefined, details: [], times: 1, since: undefined },
    summary: words,
    advice: ADVICE,
  };
}
