import { readFileSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { pastedParts } from "../src/console-lines.ts";
import { pages, ROOT } from "../src/pages.ts";

/** The content of the clipboard after a click. */
function pasted(block: string): string {
  const lines = block.split("\n");
  const parts = pastedParts(lines);
  const kept = lines.flatMap((line, index) => {
    const part = parts[index];
    return part === undefined ? [] : [line.slice(part.from, part.to)];
  });
  return kept.join("\n");
}

describe("of a console block is copied", () => {
  test.each<[string, string, string]>([
    ["a command without its prompt", "$ kindling list", "kindling list"],
    ["each command, and nothing that they print", "$ a b\nprinted\n$ not printed\n\n…", "a b\nnot printed"],
    [
      "a command of several lines, as it is",
      "$ kindling submit \\\n    --logs app.py\ndone",
      "kindling submit \\\n    --logs app.py",
    ],
    ["what goes on between quotes", "$ echo 'a\nb'\na\nb", "echo 'a\nb'"],
    ["no remark", "$ npm run demo    # two word counts", "npm run demo"],
    ["a number sign that belongs to the command", "$ curl x#y '#z'", "curl x#y '#z'"],
    ["nothing where there is no command", "PRINTED   ALONE", ""],
  ])("%s", (_, block, expected) => {
    expect(pasted(block)).toBe(expected);
  });
});

test("every console block of the pages has a command to copy, and none ends in the middle", () => {
  const md = new MarkdownIt();
  const faults = pages().flatMap((page) =>
    md.parse(readFileSync(join(ROOT, page), "utf8"), {}).flatMap(({ type, info, content, map }) => {
      if (type !== "fence" || info.trim() !== "console") return [];
      const text = pasted(content.trimEnd());
      return text === "" || text.endsWith("\\") || /^\$ /m.test(text) ? [`${page}:${map?.[0] ?? 0}`] : [];
    }),
  );
  expect(faults).toEqual([]);
});
