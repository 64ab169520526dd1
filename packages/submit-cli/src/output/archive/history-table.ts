import { harmlessText } from "@kindling/core-spec";
import { hoursText, reserved, type Run } from "@kindling/recorder-client";
import { age } from "../age.ts";
import { table } from "../table.ts";

const LONGEST_REASON = 70;

/** A table of applications that have ended, for people. */
export function historyTable(
  runs: readonly Run[],
  { now, namespaces }: { readonly now: number; readonly namespaces: boolean },
): string {
  const withQueues = runs.some(({ queue }) => queue !== undefined);
  const withAttempts = runs.some(({ attempt }) => attempt > 1);
  const head = [
    ...(namespaces ? ["NAMESPACE"] : []),
    "APPLICATION",
    "DRIVER POD",
    ...(withAttempts ? ["ATTEMPT"] : []),
    ...(withQueues ? ["QUEUE"] : []),
    "STATE",
    "ENDED",
    "TOOK",
    "EXECUTORS",
    "CORE-H",
    "GIB-H",
    "WHY",
  ];
  const rows = runs.map((run) => {
    const { coreSeconds, gibSeconds } = reserved(run.usage);
    return [
      ...(namespaces ? [run.namespace] : []),
      harmlessText(run.name),
      run.driver,
      ...(withAttempts ? [String(run.attempt)] : []),
      ...(withQueues ? [run.queue ?? ""] : []),
      run.state,
      age(new Date(run.ended).toISOString(), now),
      age(new Date(run.started).toISOString(), run.ended),
      String(run.executors),
      hoursText(coreSeconds),
      hoursText(gibSeconds),
      shortened(run.why ?? ""),
    ];
  });
  return table([head, ...rows]);
}

function shortened(text: string): string {
  const line = harmlessText(text);
  return line.length <= LONGEST_REASON ? line : `${line.slice(0, LONGEST_REASON - 1)}…`;
}
