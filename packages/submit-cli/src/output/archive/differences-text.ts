import { paint, type Palette } from "@kindling/command-line";
import { harmlessText } from "@kindling/core-spec";
import type { Run } from "@kindling/recorder-client";
import { table } from "../table.ts";
import type { Change, Differences } from "./differences.ts";

/** What is different between two runs, for people. */
export function differencesText({ before, after, course, configuration }: Differences, palette: Palette): string {
  const head = ["", titleOf(before), titleOf(after), "CHANGE"];
  const parts = [table([head, ...course.map((change) => [change.name, ...cells(change), growthOf(change)])])];
  if (configuration.length === 0) parts.push("their configurations are equal\n");
  else parts.push(`CONFIGURATION\n${configuration.map((change) => lines(change, palette)).join("")}`);
  return parts.join("\n");
}

function titleOf({ driver, ended }: Run): string {
  return `${driver}, ${new Date(ended).toISOString().slice(0, 16).replace("T", " ")}`;
}

function cells({ before, after }: Change): readonly string[] {
  return [before, after].map((value) => harmlessText(String(value ?? "")));
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
