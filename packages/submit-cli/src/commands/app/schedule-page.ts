import { paint } from "@kindling/command-line";
import { age } from "../../output/age.ts";
import { rowsText, type PageOptions } from "./application-page.ts";
import { NEW } from "./application-view.ts";
import type { ScheduleView } from "./schedule-view.ts";

/** One ScheduledSparkApplication for a person. */
export function schedulePage(view: ScheduleView, { palette, now }: PageOptions): string {
  const { namespace, name, state, suspended, schedule, timeZone, nextRun, lastRun, lastRunName } = view;
  return rowsText(
    [
      ["Schedule", `${namespace}:${name}`],
      ["State", paint(palette, colorOf(view), suspended ? "suspended" : state || NEW)],
      ["Error", view.reason],
      ["Runs at", [schedule, timeZone && `in ${timeZone}`].filter(Boolean).join(" ")],
      ["Meanwhile", view.concurrencyPolicy],
      [
        "Last run",
        lastRun && `${lastRun}, ${age(lastRun, now)} ago${lastRunName === undefined ? "" : `: ${lastRunName}`}`,
      ],
      ["Next run", suspended ? undefined : nextRunText(nextRun, now)],
      ["Succeeded", view.pastSuccessfulRuns.join(", ")],
      ["Failed", view.pastFailedRuns.join(", ")],
    ],
    palette,
  );
}

function colorOf({ state, suspended }: ScheduleView): "red" | "yellow" | "green" {
  if (state === "FailedValidation") return "red";
  return state === "Scheduled" && !suspended ? "green" : "yellow";
}

function nextRunText(nextRun: string | undefined, now: number): string | undefined {
  if (nextRun === undefined) return undefined;
  const at = Date.parse(nextRun);
  // An age is the time since something happened, so for a future time the two are swapped.
  return at > now ? `${nextRun}, in ${age(new Date(now).toISOString(), at)}` : `${nextRun}, which is due`;
}
