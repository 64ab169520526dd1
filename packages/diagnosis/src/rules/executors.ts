import type { Evidence } from "../evidence/evidence.ts";
import { applicationPhase, isFinished, KEEPER_KEPT, KEEPER_LABEL } from "@kindling/core-spec";
import type { PodState } from "../evidence/pod-state.ts";
import type { Cause, ExecutorCounts, Finding } from "../finding.ts";
import { logExcerpt } from "../log/log-excerpt.ts";
import { readableLog } from "../log/readable-log.ts";
import { executorExits, registrations, type Registrations } from "../log/executor-exits.ts";
import { disruptedPod } from "./disrupted-pod.ts";
import { endedContainer } from "./ended-container.ts";
import { knownException, knownStart } from "./known/in-log.ts";
import { lostExecutors, lostFinding, UNREGISTERED_ADVICE, unregisteredExecutors } from "./lost-executors.ts";
import { findingOf, type ExaminedPod, type Said } from "./role.ts";
import { waitingPod } from "./waiting-pod.ts";

/**
 * What keeps executors from working: executors that wait, executors that failed, and executors with an end that only the
 * driver's log shows.
 */
export function executorTroubles(
  executors: readonly ExaminedPod[],
  {
    log = [],
    logTimes,
    executors: known,
    executorLog,
  }: Pick<Evidence, "executors" | "log" | "logTimes" | "executorLog">,
  now: number,
): Finding[] {
  const found = executors.flatMap((examined) => {
    const own = executorLog?.pod === examined.pod.name ? executorLog.log : [];
    const failed = failedExecutor(examined.pod, own);
    return failed === undefined ? waitingPod(examined, now) : [findingOf(examined, "obstacle", failed)];
  });
  const together = joined(found);
  const gone = executorExits(log, logTimes).map((exits) => lostFinding(lostExecutors(exits)));
  const ended = alike(together, gone);
  const told = registrations(log);
  const unregistered = unregisteredExecutors(told);
  if (unregistered === undefined) {
    const mayWait = known !== undefined && ended.length === 0;
    const waiting = mayWait ? waitedFor(executors, told, now) : undefined;
    return waiting === undefined ? ended : [...ended, waiting];
  }
  return ended.some(({ cause }) => ENDED.has(cause))
    ? ended.map((one) =>
        one.cause === "ExecutorsFailing" && one.details.length === 0 ? { ...one, advice: UNREGISTERED_ADVICE } : one,
      )
    : [...ended, lostFinding(unregistered)];
}

/** Executors that run but do not register, or that nobody has asked for, while a job waits for them. */
function waitedFor(
  executors: readonly ExaminedPod[],
  { hasRegistered, isWaiting }: Registrations,
  now: number,
): Finding | undefined {
  if (!isWaiting || hasRegistered) return undefined;
  const running = executors.map(({ pod }) => pod).filter(({ phase }) => phase === "Running");
  const old = running.filter(({ started, created }) => now - Date.parse(started ?? created ?? "") > LONG_ENOUGH_MS);
  if (running.length === 0 && executors.length === 0) return lostFinding(NO_EXECUTORS);
  if (old.length === 0 || old.length < running.length) return undefined;
  return {
    ...lostFinding(UNREGISTERED),
    summary:
      old.length === 1
        ? "1 executor runs, and has not registered with the driver, whose job waits"
        : `${old.length} executors run, and none has registered with the driver, whose job waits`,
    pods: old.map(({ name }) => name),
    times: old.length,
  };
}

/** An executor registers within seconds of its start. */
const LONG_ENOUGH_MS = 60_000;

const UNREGISTERED = {
  cause: "ExecutorsFailing",
  word: "not registered",
  summary: "",
  advice: UNREGISTERED_ADVICE,
} as const;

const NO_EXECUTORS = {
  cause: "NoExecutors",
  word: "no executors",
  summary: "a job of the driver waits for executors, and there is none",
  advice:
    "check that the driver asks for some: spark.executor.instances, spark.dynamicAllocation.maxExecutors and .minExecutors; " +
    "kindling logs has what it says of its requests",
} as const;

/** These causes end an executor; others keep it waiting. */
const ENDED: ReadonlySet<Cause> = new Set([
  "ExecutorsFailing",
  "OOMKilled",
  "Killed",
  "Evicted",
  "NodeLost",
  "ContainerFailed",
]);

/**
 * Spark usually deletes failed executors. For one that still exists, the cluster's own words are used; the log shows how many
 * ended in the same way before.
 */
function alike(there: readonly Finding[], gone: readonly Finding[]): Finding[] {
  const isSame = (a: Finding, b: Finding): boolean =>
    a.word === b.word || (a.cause === b.cause && a.cause === "OOMKilled");
  const both = there.map((one) => {
    const before = gone.find((other) => isSame(one, other));
    if (before === undefined || before.times <= one.times) return one;
    const { cause, times, since } = before;
    if (one.cause !== "ContainerFailed") return { ...one, times };
    // With its own words, if they are known.
    const summary = one.details.length > 0 ? `${one.summary}; ${before.summary}` : before.summary;
    return { ...one, cause, summary, times, since, advice: one.advice ?? before.advice };
  });
  return [...both, ...gone.filter((one) => !there.some((other) => isSame(one, other)))];
}

function failedExecutor(pod: PodState, log: readonly string[]): Said | undefined {
  // A container beside Spark's may have failed in a pod with an executor that did not. From Spark 4.0 on, this counts as a
  // failed executor.
  if (pod.phase !== "Failed" && applicationPhase(pod) !== "Failed") return undefined;
  const disrupted = disruptedPod("executor", pod);
  if (disrupted !== undefined) return disrupted;
  const ended = [...pod.initContainers, ...pod.containers].find(
    (one) => one.state === "terminated" && one.exitCode !== 0,
  );
  if (ended?.state !== "terminated")
    return {
      cause: "ContainerFailed",
      word: "Failed",
      summary: `the pod failed, and nothing tells why${wordsOf(pod)}`,
    };
  const said = endedContainer("executor", ended, ended);
  return said.cause === "ContainerFailed" && ended.name === pod.sparkContainer ? withOwnWords(said, log) : said;
}

function wordsOf({ message }: PodState): string {
  return message === undefined ? "" : `: ${message}`;
}

/** What an executor's own log says about its end. */
function withOwnWords(said: Said, log: readonly string[]): Said {
  const { log: lines = [] } = readableLog({ log, logTimes: undefined });
  const excerpt = logExcerpt(lines);
  const known = knownStart(lines) ?? (excerpt && knownException(excerpt));
  const words = known?.summary ?? excerpt?.summary;
  if (words === undefined) return said;
  return {
    ...said,
    summary: `${said.summary}: ${words}`,
    details: excerpt?.lines ?? lines.filter((line) => line.trim() !== "").slice(-5),
    advice: known === undefined ? said.advice : ofExecutors(known.advice),
  };
}

/** Advice for the driver, changed to its executors. */
function ofExecutors(advice: string): string {
  return advice.replaceAll(/spark\.driver\.(extraJavaOptions|defaultJavaOptions|memory)/g, "spark.executor.$1");
}

/** The same problem of several executors is one finding. */
function joined(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding>();
  for (const finding of findings) {
    // A node that cannot pull an image reports this with two words, one after the other.
    const word = finding.word === "ErrImagePull" ? "ImagePullBackOff" : finding.word;
    const key = [finding.cause, word, finding.container].join(" ");
    const before = groups.get(key);
    groups.set(key, before === undefined ? finding : both(before, finding));
  }
  return [...groups.values()];
}

function both(before: Finding, finding: Finding): Finding {
  const since = [before.since, finding.since].filter((time) => time !== undefined).toSorted()[0];
  const told = before.details.length > 0 ? before : finding;
  return { ...told, pods: [...before.pods, ...finding.pods], times: before.times + finding.times, since };
}

/** How many executors run, how many exist, and how many pods of ended ones stay for their shuffle files. */
export function countExecutors(pods: readonly PodState[]): ExecutorCounts {
  const there = pods.filter(({ deleting }) => !deleting);
  const executors = there.filter((pod) => !isKeeper(pod) && !isFinished(pod));
  // Spark's container of a keeper has ended; its pod runs on.
  const keepers = there.filter((pod) => isKeeper(pod) && pod.phase === "Running").length;
  return {
    running: executors.filter(({ phase }) => phase === "Running").length,
    total: executors.length,
    ...(keepers > 0 && { keepers }),
  };
}

/** Whether a pod is no executor any more, and stays for the shuffle files of one. */
export function isKeeper({ labels }: PodState): boolean {
  return labels[KEEPER_LABEL] === KEEPER_KEPT;
}
