import { lastError, type LogExcerpt } from "../../log/log-excerpt.ts";
import { logRecord } from "../../log/log-record.ts";
import { knownFailure, type Known } from "./known-failure.ts";
import { limits } from "./limits.ts";
import { missingCode } from "./missing-code.ts";
import { apiServer, network } from "./network.ts";
import { startUp, users } from "./start-up.ts";
import { storage } from "./storage.ts";

// Made only when needed: without a failure none of them is used, and a command starts sooner.
/** By subject, the special ones before the general ones. */
const ofExceptions = () => [...users(), ...missingCode(), ...limits(), ...storage(), ...network()];

/** What is known about an exception and its causes: about the innermost one that is known. */
export function knownException({ words }: Pick<LogExcerpt, "words">): Known | undefined {
  const whole = words.toReversed().join("\n");
  return knownFailure([...startUp(), ...apiServer()], [whole]) ?? knownFailure(ofExceptions(), words);
}

/** What keeps the container's program from starting, according to the lines that are not from a logger. */
export function knownStart(log: readonly string[]): Known | undefined {
  if (log.some((line) => HAS_BEGUN.test(line))) return undefined;
  const lines = log.filter((line) => logRecord(line) === undefined).slice(-MOST_LINES);
  return knownFailure([...startUp(), ...users()], lines);
}

/** A program that does not start writes little. */
const MOST_LINES = 300;
const HAS_BEGUN = /\b(?:DAGScheduler|TaskSetManager|BlockManagerMaster|TaskSchedulerImpl|Running Spark version)\b/;

/** The last line about a problem in a log without a stack, and what is known about it. */
export function knownError(
  log: readonly string[],
): { readonly line: string; readonly known: Known | undefined } | undefined {
  const line = lastError(log);
  return line === undefined ? undefined : { line, known: knownFailure([...startUp(), ...ofExceptions()], [line]) };
}
