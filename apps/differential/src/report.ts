import type { Case } from "./cases/case.ts";
import type { Judged, NewKind } from "./differential.ts";
import type { Outcome } from "./run/side.ts";

/** A new kind of difference, with the smallest case that has it. */
export function kindText({ name, sparkVersion, smallest, differences }: NewKind): string {
  const shown = differences.slice(0, 4).map(({ aspect, text }) => `  ${aspect}: ${text.slice(0, 500)}`);
  return `${sparkVersion}, case ${name} (${smallest.features.join(", ")})\n${shown.join("\n")}\n  ${shortCase(smallest)}\n`;
}

function shortCase({ command, flags, app, env, files, pods }: Case): string {
  const all = { command, flags: flags.flat(), app, env, files, pods };
  return JSON.stringify(
    Object.fromEntries(Object.entries(all).filter(([, value]) => Object.keys(value).length > 0)),
  ).slice(0, 3000);
}

/** A whole case, and the results of both sides. */
export function caseText({ kase, real, ours, unexplained, reasons }: Judged): string {
  const lines = [
    JSON.stringify(kase, undefined, 1),
    ...outcomeLines("spark-submit", real),
    ...outcomeLines("kindling", ours),
    ...reasons.map((reason) => `explained: ${reason}`),
    ...unexplained.map(({ aspect, text }) => `${aspect}: ${text}`),
  ];
  if (unexplained.length === 0) lines.push("nothing unexplained");
  return `${lines.join("\n")}\n`;
}

function outcomeLines(title: string, outcome: Outcome): string[] {
  const { out, err, objects, ...rest } = outcome;
  return [
    `--- ${title}`,
    JSON.stringify({ ...rest, objects }, undefined, 1),
    out.trimEnd(),
    err.trimEnd().slice(-4000),
  ];
}
