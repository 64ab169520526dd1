import { exitCodeText } from "@kindling/diagnosis";
import { hoursText, reserved, type RunRecord } from "@kindling/recorder-client";
import { type Content, html, type Html } from "../page/html.ts";
import { exactTime } from "../page/moment.ts";
import { historyAddress } from "./history-filter.ts";
import { durationText } from "./figures-text.ts";

/** How it went, and with what. */
export function factsSection(record: RunRecord): Html {
  const { run, image, node, serviceAccount, termination } = record;
  const { coreSeconds, gibSeconds, spotCoreSeconds } = reserved(run.usage);
  const spot = spotCoreSeconds > 0 && `, ${Math.round((spotCoreSeconds / coreSeconds) * 100)} % of them on spot nodes`;
  const facts: readonly (readonly [name: string, value: Content])[] = [
    ["Submitted", exactTime(run.started)],
    ["Ended", exactTime(run.ended)],
    ["Took", durationText(run.ended - run.started)],
    ["Attempt", run.attempt > 1 && run.attempt],
    ["Exit code", termination !== undefined && exitCodeText(termination.exitCode).replace(/^exit code /, "")],
    ["Queue", run.queue !== undefined && html`<a href="${historyAddress({ queue: run.queue })}">${run.queue}</a>`],
    ["Core-hours", html`${hoursText(coreSeconds)}${spot}`],
    ["GiB-hours", hoursText(gibSeconds)],
    ["Executors", endsText(record)],
    ["Namespace", run.namespace],
    ["Driver", run.driver],
    ["Id", run.id],
    ["Node of the driver", node],
    ["Service account", serviceAccount],
    ["Spark", run.sparkVersion],
    ["Image", image],
    ["Labels", labelsText(run.labels)],
  ];
  const known = facts.filter(([, value]) => value !== undefined && value !== false && value !== "");
  return html`<dl class="facts">
    ${known.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function endsText({ run, executorEnds }: RunRecord): string {
  const ends = Object.entries(executorEnds).map(([reason, count]) => `${count} ${reason}`);
  return ends.length === 0 ? String(run.executors) : `${run.executors}: ${ends.join(", ")}`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");
}
