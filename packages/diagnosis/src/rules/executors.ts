import type { Evidence } from "../evidence/evidence.ts";
import { isFinished, type PodState } from "../evidence/pod-state.ts";
import type { Finding } from "../finding.ts";
import { executorExits, type ExecutorExits } from "../log/executor-exits.ts";
import { disruptedPod } from "./disrupted-pod.ts";
import { endedContainer } from "./ended-container.ts";
import { exitCodeText } from "./exit-code.ts";
import { memoryAdvice } from "./memory-advice.ts";
import { findingOf, type ExaminedPod, type Said } from "./role.ts";
import { waitingPod } from "./waiting-pod.ts";

/** What keeps executors from working: those that wait, those that failed, and those whose end only the driver's log has. */
export function executorTroubles(
  executors: readonly ExaminedPod[],
  { log = [], logTimes }: Pick<Evidence, "log" | "logTimes">,
  now: number,
): Finding[] {
  const found = executors.flatMap((examined) => {
    const failed = failedExecutor(examined.pod);
    return failed === undefined ? waitingPod(examined, now) : [findingOf(examined, "obstacle", failed)];
  });
  const together = joined(found);
  // Spark deletes executors that failed; what is still there is told in the cluster's own words.
  const known = new Set(together.map(({ cause }) => cause));
  const gone = executorExits(log, logTimes).filter(({ code }) => !(code === 137 && known.has("OOMKilled")));
  return [...together, ...gone.map(lostExecutors)];
}

function failedExecutor(pod: PodState): Said | undefined {
  if (pod.phase !== "Failed") return undefined;
  const disrupted = disruptedPod("executor", pod);
  if (disrupted !== undefined) return disrupted;
  const ended = [...pod.initContainers, ...pod.containers].find(
    (one) => one.state === "terminated" && one.exitCode !== 0,
  );
  return ended?.state === "terminated" ? endedContainer("executor", ended, ended) : undefined;
}

function lostExecutors({ code, executors, since }: ExecutorExits): Finding {
  const mayBeMemory = code === 137;
  const count = executors.length;
  const which = `${count === 1 ? "executor" : `${count} executors`} (${executors.slice(-5).join(", ")})`;
  return {
    cause: mayBeMemory ? "OOMKilled" : "ExecutorsFailing",
    severity: "obstacle",
    word: mayBeMemory ? "OOMKilled" : `Error (${code})`,
    role: "executor",
    pods: [],
    container: undefined,
    summary: `${which} ended with ${exitCodeText(code)}`,
    details: [],
    advice:
      mayBeMemory || code === 52
        ? memoryAdvice("executor")
        : "kindling logs --executor ID shows why, while the pod is there",
    times: count,
    since,
  };
}

/** The same trouble of several executors is one. */
function joined(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding>();
  for (const finding of findings) {
    const key = [finding.cause, finding.word, finding.container].join(" ");
    const before = groups.get(key);
    groups.set(key, before === undefined ? finding : both(before, finding));
  }
  return [...groups.values()];
}

function both(before: Finding, finding: Finding): Finding {
  const since = [before.since, finding.since].filter((time) => time !== undefined).toSorted()[0];
  return { ...before, pods: [...before.pods, ...finding.pods], times: before.times + finding.times, since };
}

/** How many executors run, of those that are there. */
export function countExecutors(executors: readonly PodState[]): { readonly running: number; readonly total: number } {
  const there = executors.filter((pod) => !isFinished(pod) && !pod.deleting);
  return { running: there.filter(({ phase }) => phase === "Running").length, total: there.length };
}
