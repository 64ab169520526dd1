import type { Evidence } from "../evidence/evidence.ts";
import { isFinished, type PodState } from "../evidence/pod-state.ts";
import type { Cause, Finding } from "../finding.ts";
import { executorExits, registrations } from "../log/executor-exits.ts";
import { disruptedPod } from "./disrupted-pod.ts";
import { endedContainer } from "./ended-container.ts";
import { lostExecutors, lostFinding, UNREGISTERED_ADVICE, unregisteredExecutors } from "./lost-executors.ts";
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
  const gone = executorExits(log, logTimes).map((exits) => lostFinding(lostExecutors(exits)));
  const ended = alike(together, gone);
  const unregistered = unregisteredExecutors(registrations(log));
  if (unregistered === undefined) return ended;
  return ended.some(({ cause }) => ENDED.has(cause))
    ? ended.map((one) => (one.cause === "ExecutorsFailing" ? { ...one, advice: UNREGISTERED_ADVICE } : one))
    : [...ended, lostFinding(unregistered)];
}

/** What ends an executor; the rest keeps it waiting. */
const ENDED: ReadonlySet<Cause> = new Set([
  "ExecutorsFailing",
  "OOMKilled",
  "Killed",
  "Evicted",
  "NodeLost",
  "ContainerFailed",
]);

/**
 * Spark deletes executors that failed, as a rule. Of one that is still there the cluster's own words are told; the log tells
 * how many went before it in the same way.
 */
function alike(there: readonly Finding[], gone: readonly Finding[]): Finding[] {
  const isSame = (a: Finding, b: Finding): boolean =>
    a.word === b.word || (a.cause === b.cause && a.cause === "OOMKilled");
  const both = there.map((one) => {
    const before = gone.find((other) => isSame(one, other));
    if (before === undefined || before.times <= one.times) return one;
    const { summary, times, since } = before;
    const advice = one.advice ?? before.advice;
    return one.cause === "ContainerFailed"
      ? { ...one, cause: before.cause, summary, times, since, advice }
      : { ...one, times };
  });
  return [...both, ...gone.filter((one) => !there.some((other) => isSame(one, other)))];
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
