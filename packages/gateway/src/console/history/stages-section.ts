import { amountText } from "@kindling/gateway-client";
import type { Stage } from "@kindling/recorder-client";
import { html, type Html } from "../page/html.ts";
import { type Row, table } from "../page/table.ts";
import { durationText } from "./figures-text.ts";

const MOST_SHOWN = 20;
const COLUMNS = ["Stage", "State", "Took", "Tasks", "Executors' time", "Read", "Shuffled", "Spilled"] as const;

/** The stages that took longest, failed ones first. */
export function stagesSection(stages: readonly Stage[]): Html {
  if (stages.length === 0)
    return html`<p class="quiet">
      No stages are known: no event log was kept. With spark.kindling.eventLog=record, the stages of later runs are
      kept.
    </p>`;
  const shown = stages.toSorted((a, b) => rank(a) - rank(b) || tookOf(b) - tookOf(a)).slice(0, MOST_SHOWN);
  const more = stages.length - shown.length;
  return html`${table("Stages", COLUMNS, shown.map(stageRow))}
  ${more > 0 && html`<p class="quiet">${more} more stages took less time.</p>`}`;
}

function rank({ state }: Stage): number {
  return state === "failed" ? 0 : 1;
}

function tookOf({ started, ended }: Stage): number {
  return started === undefined || ended === undefined ? 0 : Math.max(0, ended - started);
}

function stageRow(stage: Stage): Row {
  const { id, attempt, name, state, tasks, executorTime, gcTime, inputBytes, spilledBytes, failure } = stage;
  const shuffled = stage.shuffleReadBytes + stage.shuffleWriteBytes;
  return {
    key: `stage-${id}-${attempt}`,
    cells: [
      html`<b>${name}</b><span class="quiet">stage ${id}${attempt > 0 && `, attempt ${attempt}`}</span>`,
      html`<span class="state ${state}">${state}</span>${
          failure !== undefined && html`<span class="quiet">${failure}</span>`
        }`,
      html`${durationText(tookOf(stage))}`,
      html`${tasks}`,
      html`${durationText(executorTime)}<span class="quiet">${gcShare(gcTime, executorTime)}</span>`,
      html`${bytesText(inputBytes)}`,
      html`${bytesText(shuffled)}`,
      html`${bytesText(spilledBytes)}`,
    ],
  };
}

function gcShare(gcTime: number, executorTime: number): string | false {
  return executorTime > 0 && gcTime > 0 && `${Math.round((gcTime / executorTime) * 100)} % of it GC`;
}

function bytesText(bytes: number): string | undefined {
  return bytes === 0 ? undefined : amountText("memory", bytes);
}
