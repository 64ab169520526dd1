import type { Evidence } from "../evidence/evidence.ts";
import type { PodState } from "../evidence/pod-state.ts";
import { executorExits, registrations, type ExecutorExits } from "../log/executor-exits.ts";
import { logExcerpt, type LogExcerpt } from "../log/log-excerpt.ts";
import { fullMemory } from "./full-memory.ts";
import type { Known } from "./known/known-failure.ts";
import { knownException, knownStart } from "./known/in-log.ts";
import { lostExecutors, unregisteredExecutors } from "./lost-executors.ts";
import { memoryAdvice } from "./memory-advice.ts";
import { refusals, saidByDriver } from "./said-by-driver.ts";
import type { Said } from "./role.ts";

type Log = Pick<Evidence, "log" | "logTimes">;

/** Why a driver ended, according to its log: what it was refused, its own words, or the exception that ended it. */
export function endOfLog(driver: PodState, exitCode: number, { log = [], logTimes }: Log): Said | undefined {
  const excerpt = logExcerpt(log);
  // What a process logged before it was killed is not the reason.
  if (exitCode === SIGKILL) return fullMemory(excerpt, log) ?? killedProgram(log);
  const start = knownStart(log);
  if (start !== undefined) return withKnown(start, excerpt, excerpt?.summary ?? start.line, log);
  const [refused] = refusals(driver, { log, logTimes });
  if (refused !== undefined && isDecisive(excerpt, log)) return refused.said;
  const exits = executorExits(log, logTimes);
  const own = fullMemory(excerpt, log) ?? saidByDriver(log);
  if (own !== undefined) return own.cause === "ExecutorsFailing" ? withEnds(own, exits) : own;
  if (excerpt?.isSymptom ?? true) {
    const unregistered = unregisteredExecutors(registrations(log));
    if (unregistered !== undefined && excerpt !== undefined) return { ...unregistered, details: excerpt.lines };
  }
  if (excerpt !== undefined) return forLostExecutors(excerpt, exits) ?? fromExcerpt(excerpt, log);
  return killedProgram(log) ?? crashedJvm(log);
}

const SIGKILL = 137;

/** HotSpot's own report of a crash (vmError.cpp). */
function crashedJvm(log: readonly string[]): Said | undefined {
  const begin = log.findLastIndex((line) =>
    line.includes("A fatal error has been detected by the Java Runtime Environment"),
  );
  if (begin < 0) return undefined;
  const report = log.slice(begin).filter((line) => line.startsWith("#"));
  const frame = report[report.findIndex((line) => line.includes("Problematic frame:")) + 1] ?? "";
  return {
    cause: "ContainerFailed",
    word: "Error",
    summary: `the JVM crashed in native code: ${frame.replace(/^#\s*/, "")}`,
    details: report.slice(0, 8),
    advice:
      "a native library does not go with the image's C library or processor (Alpine's musl, another version of Java): take the image " +
      "that it was made for; hs_err_pid*.log in the working directory has more",
  };
}

/** If Python under the JVM is killed, the JVM goes on and ends with Python's exit code (PythonRunner, RRunner). */
function killedProgram(log: readonly string[]): Said | undefined {
  const line = log.findLast((one) => /SparkUserAppException: User application exited with (?:137|-9)\b/.test(one));
  if (line === undefined) return undefined;
  return {
    cause: "Killed",
    word: "Error",
    summary: "the driver's program outside of Java (Python or R) was killed, most often for its memory",
    details: [line],
    advice: memoryAdvice("driver"),
  };
}

/** A driver that is refused something cannot work. But a driver that had executors may have ended for another reason. */
function isDecisive(excerpt: LogExcerpt | undefined, log: readonly string[]): boolean {
  if (excerpt === undefined || !registrations(log).hasRegistered) return true;
  return excerpt.words.some((line) => /KubernetesClientException|is forbidden|External scheduler/.test(line));
}

function fromExcerpt(excerpt: LogExcerpt, log: readonly string[]): Said {
  const known = knownException(excerpt);
  return withKnown(known, excerpt, known?.summary ?? excerpt.summary, log);
}

function withKnown(
  known: Known | undefined,
  excerpt: LogExcerpt | undefined,
  summary: string,
  log: readonly string[],
): Said {
  return {
    cause: known?.cause ?? "ApplicationFailed",
    word: "Error",
    summary: known?.summary ?? summary,
    details: excerpt?.lines ?? log.filter((line) => line.trim() !== "").slice(-5),
    ...(known && { advice: known.advice }),
  };
}

/** A task that was given up because its executors were lost, one after the other. */
function forLostExecutors({ words, lines }: LogExcerpt, exits: readonly ExecutorExits[]): Said | undefined {
  const [, lost, reason] = words.map((line) => LOST.exec(line)).find((found) => found !== null) ?? [];
  if (lost === undefined) return undefined;
  const of = exits.find(({ executors }) => executors.includes(lost)) ?? exits.at(-1);
  const before = "the job was given up for the loss of its executors: ";
  if (of !== undefined) {
    const said = lostExecutors(of);
    return { ...said, details: lines, summary: before + said.summary };
  }
  if (reason === undefined || reason === "") return undefined;
  const known = knownException({ words: [reason] });
  return {
    cause: known?.cause ?? "ExecutorsFailing",
    word: "Error",
    summary: `${before}executor (${lost}): ${reason}`,
    details: lines,
    ...(known && { advice: known.advice }),
  };
}

const LOST = /ExecutorLostFailure \(executor (\S+) exited[^)]*\) Reason: ?(.*)/;

/** Too many executors failed: how they ended says more. */
function withEnds(said: Said, exits: readonly ExecutorExits[]): Said {
  const most = exits.toSorted((a, b) => b.executors.length - a.executors.length)[0];
  if (most === undefined) return said;
  const { summary, advice } = lostExecutors(most);
  return { ...said, summary: `${said.summary}: ${summary}`, advice };
}
