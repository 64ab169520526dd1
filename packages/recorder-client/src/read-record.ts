import { harmlessText } from "@kindling/core-spec";
import type { Finding, PodEvent, Termination } from "@kindling/diagnosis";
import type { RecordedLog, RunRecord } from "./run-record.ts";
import { readRun } from "./run-text.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads what is kept of a run; `undefined` if it is no such document. Somebody else may have written into the archive: what has
 * another form is left out, and texts have nothing that a terminal acts on.
 */
export function readRecord(value: unknown): RunRecord | undefined {
  if (!isFields(value)) return undefined;
  const run = readRun(value["run"]);
  if (run === undefined) return undefined;
  const termination = readTermination(value["termination"]);
  return {
    run,
    findings: listOf(value["findings"], readFinding),
    events: listOf(value["events"], readEvent),
    logs: listOf(value["logs"], readLog),
    executorEnds: entriesOf(value["executorEnds"], numberIn),
    ...(termination && { termination }),
    ...(isFields(value["configuration"]) && { configuration: entriesOf(value["configuration"], textIn) }),
    ...optional("serviceAccount", value["serviceAccount"]),
    ...optional("image", value["image"]),
    ...optional("node", value["node"]),
  };
}

function readFinding(value: Fields): Finding | undefined {
  const { severity, role } = value;
  const [cause, word, summary] = [value["cause"], value["word"], value["summary"]].map(textIn);
  if (cause === undefined || summary === undefined) return undefined;
  return {
    // A later version may know more causes.
    cause: cause as Finding["cause"],
    word: word ?? "",
    summary,
    severity: severity === "failure" ? "failure" : "obstacle",
    role: role === "executor" ? "executor" : "driver",
    pods: textsIn(value["pods"]),
    container: textIn(value["container"]),
    details: textsIn(value["details"]),
    advice: textIn(value["advice"]),
    times: numberIn(value["times"]) ?? 1,
    since: textIn(value["since"]),
  };
}

function readEvent(value: Fields): PodEvent | undefined {
  const [pod, reason, message] = [value["pod"], value["reason"], value["message"]].map(textIn);
  if (pod === undefined || reason === undefined || message === undefined) return undefined;
  return {
    ...{ pod, reason, message },
    uid: textIn(value["uid"]) ?? "",
    type: textIn(value["type"]) ?? "",
    source: textIn(value["source"]) ?? "",
    count: numberIn(value["count"]) ?? 1,
    first: textIn(value["first"]),
    last: textIn(value["last"]),
  };
}

function readLog(value: Fields): RecordedLog | undefined {
  const name = textIn(value["name"]);
  if (name === undefined) return undefined;
  return { name, bytes: numberIn(value["bytes"]) ?? 0, ...optional("gap", value["gap"]) };
}

function readTermination(value: unknown): Termination | undefined {
  if (!isFields(value)) return undefined;
  const exitCode = numberIn(value["exitCode"]);
  if (exitCode === undefined) return undefined;
  const { startedAt, finishedAt, reason, message } = value;
  return {
    ...{ exitCode, startedAt: textIn(startedAt), finishedAt: textIn(finishedAt) },
    ...{ reason: textIn(reason), message: textIn(message) },
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf<T>(value: unknown, read: (fields: Fields) => T | undefined): readonly T[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => (isFields(one) ? (read(one) ?? []) : []));
}

function entriesOf<T>(value: unknown, read: (value: unknown) => T | undefined): Record<string, T> {
  const entries: [string, T][] = [];
  for (const [key, one] of isFields(value) ? Object.entries(value) : []) {
    const known = read(one);
    if (known !== undefined) entries.push([harmlessText(key), known]);
  }
  return Object.fromEntries(entries);
}

/** Values of configurations may be long. */
const LONGEST_TEXT = 256 * 1024;

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? harmlessText(value, LONGEST_TEXT) : undefined;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((one) => textIn(one) ?? []) : [];
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function optional<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: string } {
  const text = textIn(value);
  return text === undefined ? {} : ({ [key]: text } as { readonly [K in Key]: string });
}
