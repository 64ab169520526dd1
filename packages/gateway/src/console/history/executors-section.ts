import { exitCodeText } from "@kindling/diagnosis";
import { amountText } from "@kindling/gateway-client";
import type { PodLife, Run, RunRecord } from "@kindling/recorder-client";
import { html, type Html } from "../page/html.ts";
import { clockTime } from "../page/moment.ts";
import { type Row, table } from "../page/table.ts";
import { executorsTimeline } from "./executors-timeline.ts";
import { logAddress } from "./history-filter.ts";
import { durationText } from "./figures-text.ts";

const MOST_SHOWN = 100;
const COLUMNS = ["Executor", "Why it ended", "Since", "Lived", "Room", "Node", "Log"] as const;

/** Ends that nobody has to look at. */
const WELL = new Set(["Completed", "Deleted"]);

/** Executors over time, and how each ended: those first that were lost. */
export function executorsSection({ run, logs }: RunRecord, lives: readonly PodLife[]): Html {
  const executors = lives.filter(({ role }) => role === "executor");
  if (executors.length === 0) return html`<p class="quiet">It had no executors.</p>`;
  const lost = executors.filter(isLost);
  const well = executors.filter((life) => !isLost(life));
  const kept = new Set(logs.map(({ name }) => name));
  const listed = (caption: string, list: readonly PodLife[]): Html => {
    const more = list.length - MOST_SHOWN;
    const rows = list.slice(0, MOST_SHOWN).map((life) => executorRow(life, run, kept));
    return html`${table(caption, COLUMNS, rows)}${more > 0 && html`<p class="quiet">${more} more are not shown.</p>`}`;
  };
  return html`${executorsTimeline(executors, lost, { from: run.started, to: run.ended })}
  ${lost.length > 0 && listed("Executors that were lost", lost)}
  ${
    well.length > 0 &&
    html`<details>
      <summary>${well.length} that ended well</summary>
      ${listed("Executors that ended well", well)}
    </details>`
  }`;
}

function isLost({ reason, exitCode }: PodLife): boolean {
  return !WELL.has(reason) || (exitCode !== undefined && exitCode !== 0 && reason !== "Deleted");
}

function executorRow(life: PodLife, run: Run, kept: ReadonlySet<string>): Row {
  const { executor = "", pod, uid, cores, memory, started, ended, reason, node, nodeType, spot, logGap } = life;
  const log = `executor-${executor}`;
  return {
    key: `executor-${uid}`,
    cells: [
      html`<b>${executor}</b><span class="quiet">${pod}</span>`,
      html`<span class="${isLost(life) && "fault"}">${reason}</span>${
          life.exitCode !== undefined &&
          life.exitCode !== 0 &&
          html`<span class="quiet">${exitCodeText(life.exitCode)}</span>`
        }`,
      started === undefined ? html`never on a node` : clockTime(started),
      started === undefined ? html`` : html`${durationText(ended - started)}`,
      html`${amountText("cpu", cores * 1000)} cpu, ${amountText("memory", memory)}`,
      html`${node}${nodeText(nodeType, spot)}`,
      kept.has(log)
        ? html`<a href="${logAddress(run, log)}" aria-label="Log of executor ${executor}">Log</a>${
              logGap !== undefined && html`<span class="quiet">${logGap}</span>`
            }`
        : html`<span class="quiet">${logGap ?? "not kept"}</span>`,
    ],
  };
}

function nodeText(nodeType: string | undefined, spot: boolean): Html | false {
  const words = [nodeType, spot ? "spot" : undefined].filter((part) => part !== undefined).join(", ");
  return words !== "" && html`<span class="quiet">${words}</span>`;
}
