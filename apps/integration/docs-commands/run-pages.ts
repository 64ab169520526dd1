import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawn } from "../clusters/drawn.ts";
import { openBench, type Bench } from "./bench.ts";
import type { DocumentedCommand } from "./blocks.ts";
import { missingLines } from "./compare.ts";
import { isRun, type PageRun, type Run } from "./page-run.ts";
import { pagesWithCommands } from "./pages.ts";

const TIMEOUT_MS = 280_000;
const PAGES = pagesWithCommands();

/** Newcomers read these pages first: each run tries them. */
const ALWAYS = ["README.md", "docs/quick-start.md"];

/** Runs the commands of pages, each page in its own bench. */
export function runPages(pageRuns: Readonly<Record<string, PageRun>>): void {
  const tried = new Set([...ALWAYS, ...drawnPages(pageRuns)]);
  for (const [page, pageRun] of Object.entries(pageRuns)) {
    describe.skipIf(!tried.has(page)).each([page])("%s", () => {
      runPage(page, pageRun);
    });
  }
}

/** Pages that need a cluster take many times as long as others, so they are drawn apart: each run has as many of them. */
function drawnPages(pageRuns: Readonly<Record<string, PageRun>>): readonly string[] {
  const drawable = Object.entries(pageRuns).filter(([page]) => !ALWAYS.includes(page));
  const inCluster = drawable.filter(([, { bench }]) => bench === "cluster" || bench === "installed");
  const others = drawable.filter((entry) => !inCluster.includes(entry));
  const pagesOf = (entries: typeof drawable): string[] => entries.map(([page]) => page);
  return [...drawn("pages in a cluster", pagesOf(inCluster)), ...drawn("pages", pagesOf(others))];
}

function runPage(page: string, pageRun: PageRun): void {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench(pageRun);
    for (const command of pageRun.before ?? []) {
      const { exit, printed } = await bench.shell.run(command, TIMEOUT_MS);
      if (exit !== 0) throw new Error(`${command}\n${printed}`);
    }
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const command of pageRun.after ?? []) await bench.shell.run(command, TIMEOUT_MS);
    await bench.close();
  });

  const commands = (PAGES.get(page) ?? []).map((command) => [firstLine(command), command] as const);
  test.for(commands)("%s", async ([, command], context) => {
    const row = rowOf(pageRun, command);
    if (row === undefined || (row.needs ?? []).some((need) => !bench.has(need))) return context.skip();
    const { exit, printed: said } = await bench.shell.run(replaced(command.text, row), TIMEOUT_MS);
    const inDefault = (text: string): string =>
      text.replaceAll("$NAMESPACE", "default").replaceAll(bench.namespace, "default");
    const printed = inDefault(said);
    const shown = command.output.map((line) => inDefault(replaced(line, row)));
    expect(exit, printed).toBe(row.exit ?? 0);
    expect(printed).toMatch(row.prints ?? /^/);
    expect(missingLines(shown, printed), printed).toEqual([]);
  });
}

/** The row of a command, if it is run here. */
function rowOf({ rows }: PageRun, { text }: DocumentedCommand): Run | undefined {
  const row = rows.find(({ command }) => text.startsWith(command));
  return row !== undefined && isRun(row) ? row : undefined;
}

function replaced(text: string, row: Run): string {
  return Object.entries(row.with ?? {}).reduce((command, [from, to]) => command.replaceAll(from, () => to), text);
}

function firstLine({ text }: DocumentedCommand): string {
  return text.split("\n")[0] ?? text;
}
