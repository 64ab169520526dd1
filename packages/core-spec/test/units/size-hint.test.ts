import { expect, test } from "vitest";
import { parseBytes, sizeHint } from "../../src/index.ts";

test.each([
  ["2Gi", "2g"],
  ["2GiB", "2g"],
  ["512 Mi", "512m"],
  ["1gib", "1g"],
  ["1.5g", "1536m"],
  ["1.5Gi", "1536m"],
  ["0.5GB", "512m"],
  ["2.25t", "2304g"],
])("%s is %s to Spark", (text, same) => {
  expect(sizeHint(text)).toMatch(new RegExp(`: ${same} is the same$`));
  expect(parseBytes(same, "b")).toBeDefined();
});

test.each(["2g", "2048MB", "512", "lots", "", "g", "-1Gi", "1.5", "500m"])("there is nothing to say of %s", (text) => {
  expect(sizeHint(text)).toBeUndefined();
});
