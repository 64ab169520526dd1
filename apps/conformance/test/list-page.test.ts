import { expect, test } from "vitest";
import { conformanceCases } from "../src/cases/conformance-cases.ts";
import { conformanceList } from "./list-page.ts";

test("the written list of cases is up to date", async () => {
  await expect(conformanceList(conformanceCases)).toMatchFileSnapshot("../CONFORMANCE.md");
});

test("each case has a name of its own", () => {
  const names = conformanceCases.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("there are as many cases as were promised", () => {
  expect(conformanceCases.filter(({ only }) => only === undefined).length).toBeGreaterThanOrEqual(150);
});
