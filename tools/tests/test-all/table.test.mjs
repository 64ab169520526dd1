// @ts-check
import { expect, test } from "vitest";
import { tableOf, verdictOf } from "./table.mjs";

const GREEN = { name: "tests and checks", passed: 120, failed: 0, isFlake: false, seconds: 61.4 };
const FLAKE = { name: "e2e", passed: 9, failed: 1, isFlake: true, seconds: 7 };
const BROKEN = { name: "release", passed: 0, failed: 1, isFlake: false, seconds: 3 };
const LEFT_OUT = { name: "e2e: kind", leftOut: "there is no kind" };

test("a table has a row for each suite, and says why one is left out", () => {
  expect(tableOf([GREEN, FLAKE, LEFT_OUT])).toBe(
    [
      "| suite            | passed | failed                   | left out         | seconds |",
      "| ---------------- | ------ | ------------------------ | ---------------- | ------- |",
      "| tests and checks | 120    | 0                        |                  | 61      |",
      "| e2e              | 9      | 1 (none the second time) |                  | 7       |",
      "| e2e: kind        |        |                          | there is no kind |         |",
      "",
    ].join("\n"),
  );
});

/** @type {[string, import("./table.mjs").Outcome[], string | undefined][]} */
const VERDICTS = [
  ["all that was run is green", [GREEN, LEFT_OUT], undefined],
  ["the second run of each failed suite is green", [GREEN, FLAKE], "flake"],
  ["one of them failed again", [FLAKE, BROKEN], "regression"],
];

test.each(VERDICTS)("if %s, the verdict says so", (_, outcomes, verdict) => {
  expect(verdictOf(outcomes)).toBe(verdict);
});
