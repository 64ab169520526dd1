import { paint, type Palette } from "@kindling/command-line";
import { harmlessText } from "@kindling/core-spec";
import { hoursText, reserved, type RunRecord } from "@kindling/recorder-client";
import { age } from "../age.ts";
import { configurationText } from "../configuration-text.ts";
import { diagnosisText } from "../diagnosis-text.ts";
import { eventTable } from "../event-table.ts";

/** What is kept of an application, for a person: how it ended, the reasons, and what it took. */
export function runPage(
  record: RunRecord,
  { palette, now }: { readonly palette: Palette; readonly now: number },
): string {
  const { run, findings, configuration, logs } = record;
  const name = `${run.namespace}:${run.driver}`;
  const logsCommand = logs.length === 0 ? undefined : `kindling logs ${name}`;
  const parts = [
    summary(record, palette, now),
    findings.length === 0 ? "" : `${diagnosisText({ findings }, { palette, now, logsCommand })}\n`,
    configurationText(configuration),
    eventTable(record.events, run.driver, now),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function summary(
  { run, image, node, executorEnds, termination, logs }: RunRecord,
  palette: Palette,
  now: number,
): string {
  const { coreSeconds, gibSeconds } = reserved(run.usage);
  const ended = new Date(run.ended).toISOString();
  const color = run.state === "succeeded" ? "green" : run.state === "failed" ? "red" : "yellow";
  const gaps = logs.filter(({ gap }) => gap !== undefined).length;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Application", `${harmlessText(run.name)} (${run.id})`],
    [
      "State",
      paint(palette, color, `${run.state}${termination === undefined ? "" : `, exit code ${termination.exitCode}`}`),
    ],
    ["Attempt", run.attempt > 1 ? String(run.attempt) : undefined],
    ["Spark", [run.sparkVersion, image].filter((text) => text !== undefined && text !== "").join(", image ")],
    ["Driver", `${run.namespace}:${run.driver}${node === undefined ? "" : ` on node ${node}`}`],
    ["Queue", run.queue],
    ["Executors", run.executors === 0 ? undefined : `${run.executors}${endsText(executorEnds)}`],
    ["Reserved", `${hoursText(coreSeconds)} core hours, ${hoursText(gibSeconds)} GiB hours`],
    ["Submitted", `${new Date(run.started).toISOString()}, ${age(new Date(run.started).toISOString(), now)} ago`],
    ["Ended", `${ended}, after ${age(new Date(run.started).toISOString(), run.ended)}`],
    ["Kept", `its pods are gone; ${logsText(logs.length, gaps)}`],
  ];
  return rows
    .filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== "")
    .map(([title, text]) => `${paint(palette, "bold", title.padEnd(12))} ${text}\n`)
    .join("");
}

function endsText(ends: RunRecord["executorEnds"]): string {
  const parts = Object.entries(ends).map(([reason, count]) => `${count} ${harmlessText(reason)}`);
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

function logsText(count: number, gaps: number): string {
  const logs = count === 1 ? "1 log" : `${count} logs`;
  return gaps === 0 ? logs : `${logs}, of which ${gaps} ${gaps === 1 ? "is" : "are"} not whole`;
}
