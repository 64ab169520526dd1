import { paint, type Palette } from "@kindling/command-line";
import { harmlessText } from "@kindling/core-spec";
import type { Run } from "@kindling/recorder-client";
import { table } from "../table.ts";
import type { Change } from "./change.ts";
import type { Differences } from "./differences.ts";

/** What is different between two runs, for people. */
export function differencesText(
  { before, after, course, configuration, stages }: Differences,
  palette: Palette,
): string {
  const head = ["", titleOf(before), titleOf(after), "CHANGE"];
  const parts = [table([head, ...course.map((change) => [change.name, ...cells(change), growthOf(change)])])];
  if (configuration.length === 0) parts.push("their configurations are equal\n");
  else parts.push(`CONFIGURATION\n${configuration.map((change) => lines(change, palette)).join("")}`);
  if (stages.length > 0) parts.push(stagesText(stages));
  return parts.join("\n");
}

const SHOWN_STAGES = 10;

function stagesText(stages: readonly Change[]): string {
  const shown = stages.slice(0, SHOWN_STAGES);
  const head = ["STAGES, SECONDS OF EXECUTORS", "BEFORE", "AFTER", "CHANGE"];
  const rows = shown.map((stage) => [shortened(stage.name), ...cells(stage), growthOf(stage)]);
  const more = stages.length - shown.length;
  return `${table([head, ...rows])}${more > 0 ? `and ${more} more: -o json shows them\n` : ""}`;
}

function titleOf({ driver, ended }: Run): string {
  const time = new Date(ended).toISOString().slice(0, 16).replace("T", " ");
  return `${shortened(driver)}, ${time}`;
}

function cells({ before, after }: Change): readonly string[] {
  return [before, after].map((value) => shortened(harmlessText(String(value ?? ""))));
}

/** A table has to fit on a screen; `-o json` has all of it. */
const LONGEST_CELL = 48;

function shortened(text: string): string {
  return text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
}

function growthOf({ before, after }: Change): string {
  if (typeof before !== "number" || typeof after !== "number" || before === 0 || before === after) return "";
  const percent = Math.round(((after - before) / before) * 100);
  return percent > 0 ? `+${percent} %` : `${percent} %`;
}

function lines({ name, before, after }: Change, palette: Palette): string {
  return [
    ...(before === undefined ? [] : [paint(palette, "red", `- ${name}=${harmlessText(String(before))}`)]),
    ...(after === undefined ? [] : [paint(palette, "green", `+ ${name}=${harmlessText(String(after))}`)]),
  ]
    .map((line) => `${line}\n`)
    .join("");
}
