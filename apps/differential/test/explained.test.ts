import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXPLANATIONS } from "../src/compare/explained.ts";

const PAGE = readFileSync(new URL("../../../docs/spark-submit.md", import.meta.url), "utf8");
const points = PAGE.split("\n").filter((line) => line.startsWith("- "));

test.each(EXPLANATIONS.map(({ docs }) => docs))("users are told: %s", (docs) => {
  expect(points.filter((line) => line.startsWith(`- ${docs}`))).toHaveLength(1);
});

test("no two explanations are told by the same point", () => {
  expect(new Set(EXPLANATIONS.map(({ docs }) => docs)).size).toBe(EXPLANATIONS.length);
});
