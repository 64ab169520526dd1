import { lastError, type LogExcerpt } from "../../log/log-excerpt.ts";
import { logRecord } from "../../log/log-record.ts";
import { knownFailure, type Known } from "./known-failure.ts";
import { LIMITS } from "./limits.ts";
import { MISSING_CODE } from "./missing-code.ts";
import { API_SERVER, NETWORK } from "./network.ts";
import { START_UP, USERS } from "./start-up.ts";
import { STORAGE } from "./storage.ts";

/** By what they are about, the special before the general. */
const OF_EXCEPTIONS = [...USERS, ...MISSING_CODE, ...LIMITS, ...STORAGE, ...NETWORK];

/** What is known of an exception and its causes: of the innermost that anything is known of. */
export function knownException({ words }: Pick<LogExcerpt, "words">): Known | undefined {
  const whole = words.toReversed().join("\n");
  return knownFailure([...START_UP, ...API_SERVER], [whole]) ?? knownFailure(OF_EXCEPTIONS, words);
}

/** What keeps the container's program from starting, by the lines that no logger wrote. */
export function knownStart(log: readonly string[]): Known | undefined {
  if (log.some((line) => HAS_BEGUN.test(line))) return undefined;
  const lines = log.filter((line) => logRecord(line) === undefined);
  return knownFailure([...START_UP, ...USERS], lines);
}

const HAS_BEGUN = /\b(?:DAGScheduler|TaskSetManager|BlockManagerMaster|TaskSchedulerImpl|Running Spark version)\b/;

/** The last thing in a log that tells of trouble, where nothing in it has a stack, and what is known of it. */
export function knownError(
  log: readonly string[],
): { readonly line: string; readonly known: Known | undefined } | undefined {
  const line = lastError(log);
  return line === undefined ? undefined : { line, known: knownFailure([...START_UP, ...OF_EXCEPTIONS], [line]) };
}
