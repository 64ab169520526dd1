import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXPLANATIONS } from "../src/compare/explained.ts";

const PAGE = readFileSync(new URL("../../../docs/spark-submit.md", import.meta.url), "utf8");
const [, section = ""] = PAGE.split("\n## Where Kindling differs on purpose\n");
const lines = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("- "));

test.each(EXPLANATIONS.map((explanation) => [explanation.docs, explanation] as const))("users are told: %s", (docs) => {
  expect(lines.filter((line) => line.startsWith(`- ${docs}`))).toHaveLength(1);
});

test("of every line that users are told there is an explanation", () => {
  expect(lines.filter((line) => !EXPLANATIONS.some(({ docs }) => line.startsWith(`- ${docs}`)))).toEqual([]);
});
