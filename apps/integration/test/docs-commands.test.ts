import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentedCommands } from "../docs-commands/blocks.ts";
import { missingLines } from "../docs-commands/compare.ts";
import { isRun } from "../docs-commands/page-run.ts";
import { pagesWithCommands, ROOT } from "../docs-commands/pages.ts";
import { PAGE_RUNS } from "../docs-commands/table.ts";

const pages = [...pagesWithCommands()];

describe.each(pages)("the commands of %s", (page, commands) => {
  const rows = PAGE_RUNS[page]?.rows ?? [];

  test("are all run, here or elsewhere", () => {
    const unknown = commands.filter(({ text }) => !rows.some(({ command }) => text.startsWith(command)));
    const hint = `say in apps/integration/docs-commands how these commands of ${page} are run`;
    expect(unknown, hint).toEqual([]);
  });

  test("are those of the rows", () => {
    const stale = rows.filter(({ command }) => !commands.some(({ text }) => text.startsWith(command)));
    expect(stale).toEqual([]);
  });

  test("have in them what is put in another's place", () => {
    const stale = rows.filter(isRun).flatMap((row) => {
      const own = commands.filter(({ text }) => text.startsWith(row.command));
      const texts = own.flatMap(({ text, output }) => [text, ...output]);
      return Object.keys(row.with ?? {}).filter((from) => !texts.some((text) => text.includes(from)));
    });
    expect(stale).toEqual([]);
  });
});

test("each page of the table is there", () => {
  const there = pagesWithCommands();
  expect(Object.keys(PAGE_RUNS).filter((page) => !there.has(page))).toEqual([]);
});

test("what is run elsewhere stands there", () => {
  const elsewhere = Object.values(PAGE_RUNS).flatMap(({ rows }) => rows.flatMap((row) => (isRun(row) ? [] : [row])));
  expect(elsewhere.filter(({ runBy, as }) => !readFileSync(join(ROOT, runBy), "utf8").includes(as))).toEqual([]);
});

test("a command goes on behind a backslash and between quotes, and what follows is what it prints", () => {
  const page = [
    "```console",
    "$ a \\",
    "    b",
    "out",
    "$ c",
    "```",
    "```sh",
    "d",
    "",
    "# no command",
    "e \\",
    "  f",
    "g '{",
    "}'",
    "h # it's i",
    "```",
  ];
  expect(documentedCommands(page.join("\n")).map(({ text, output }) => [text, output])).toEqual([
    ["a \\\n    b", ["out"]],
    ["c", []],
    ["d", []],
    ["e \\\n  f", []],
    ["g '{\n}'", []],
    ["h # it's i", []],
  ]);
});

test.each([
  ["NAME   AGE", "NAME AGE"],
  ["etl-8d3fa2069ba5d5ab-driver   4.3.0   Error (1)   2m10s", "etl-0123456789abcdef-driver 3.5.9 Error (137) 5s"],
  ["waiting: … free", "waiting: no memory is free"],
])("%s is taken for %s", (shown, printed) => {
  expect(missingLines([shown, "…"], `something\n  ${printed}\n`)).toEqual([]);
  expect(missingLines([`${shown} more`], printed)).toEqual([`${shown} more`]);
});
