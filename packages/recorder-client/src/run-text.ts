import { RUN_STATES, type Run, type Usage } from "./run.ts";
import { isName } from "./names.ts";

/** A run as a line of the index, without its line feed. */
export function runText(run: Run): string {
  return JSON.stringify(run);
}

/** Reads a line of the index; `undefined` if it is none, for somebody else may have written into the archive. */
export function parseRun(text: string): Run | undefined {
  try {
    return readRun(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads a run that was written as JSON; `undefined` if it is none. */
export function readRun(value: unknown): Run | undefined {
  if (!isFields(value)) return undefined;
  const { namespace, day, driver, uid, id, name, attempt, started, ended, executors, bytes } = value;
  if (!isPlaceName(namespace) || !isPlaceName(day) || !isPlaceName(driver) || !isPlaceName(uid)) return undefined;
  const state = RUN_STATES.find((one) => one === value["state"]);
  if (typeof id !== "string" || typeof name !== "string" || state === undefined) return undefined;
  if (!isTime(started) || !isTime(ended)) return undefined;
  return {
    ...{ namespace, day, driver, uid, id, name, state, started, ended },
    application: typeof value["application"] === "string" ? value["application"] : id,
    attempt: isCount(attempt) && attempt > 0 ? attempt : 1,
    executors: isCount(executors) ? executors : 0,
    bytes: isCount(bytes) ? bytes : 0,
    labels: texts(value["labels"]),
    usage: readUsages(value["usage"]),
    ...optional("cause", value["cause"]),
    ...optional("why", value["why"]),
    ...optional("sparkVersion", value["sparkVersion"]),
    ...optional("queue", value["queue"]),
    ...(isPlaceName(value["eventLog"]) && { eventLog: value["eventLog"] }),
  };
}

/** Those of a list that are usages. */
export function readUsages(value: unknown): readonly Usage[] {
  return Array.isArray(value) ? value.flatMap(usageOf) : [];
}

function usageOf(value: unknown): Usage[] {
  if (!isFields(value)) return [];
  const { coreSeconds, gibSeconds, spot } = value;
  if (!isAmount(coreSeconds) || !isAmount(gibSeconds)) return [];
  return [{ ...optional("nodeType", value["nodeType"]), spot: spot === true, coreSeconds, gibSeconds }];
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPlaceName(value: unknown): value is string {
  return typeof value === "string" && isName(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** The last moment that a Date can have (ECMA-262, Time Values). */
const LAST_TIME = 8.64e15;

function isTime(value: unknown): value is number {
  return isAmount(value) && value <= LAST_TIME;
}

function texts(value: unknown): Record<string, string> {
  if (!isFields(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function optional<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: string } {
  return typeof value === "string" ? ({ [key]: value } as { readonly [K in Key]: string }) : {};
}
