import { harmlessText } from "@kindling/core-spec";
import { paint, type Palette } from "@kindling/command-line";
import type { Checkup, CheckupState } from "@kindling/submit/check";

const COLORS: Readonly<Record<CheckupState, "green" | "yellow" | "red" | "dim">> = {
  ok: "green",
  warning: "yellow",
  problem: "red",
  skipped: "dim",
};

// The longest word of each column.
const STATE_WIDTH = "problem".length;
const CHECK_WIDTH = "staging from a pod".length;

/** A row of a table with columns as wide as their longest word; the hint is in the line below. */
export function checkupText({ check, state, detail, hint }: Checkup, palette: Palette): string {
  const row = `${paint(palette, COLORS[state], state.padEnd(STATE_WIDTH))}   ${check.padEnd(CHECK_WIDTH)}   `;
  const advice = hint === undefined ? "" : `${" ".repeat(STATE_WIDTH + 3)}${harmlessText(hint)}\n`;
  return `${row}${harmlessText(detail)}\n${advice}`;
}
