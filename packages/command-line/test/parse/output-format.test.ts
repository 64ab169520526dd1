import { expect, test } from "vitest";
import { formatOf, outputOption, parseCommandLine } from "../../src/index.ts";

const FORMATS = ["table", "json", "yaml"] as const;
const usage = { name: "list", summary: "", options: [outputOption(FORMATS)], examples: [] };

test("the first format is the default, and the help says so", () => {
  expect(outputOption(FORMATS).help).toBe("table (default), json or yaml");
  expect(outputOption(["json"]).help).toBe("json (default)");
  expect(formatOf(parseCommandLine(usage, [], "list"), FORMATS)).toBe("table");
});

test("others are known or refused", () => {
  expect(formatOf(parseCommandLine(usage, ["-o", "yaml"], "list"), FORMATS)).toBe("yaml");
  expect(() => formatOf(parseCommandLine(usage, ["-o", "xml"], "list"), FORMATS)).toThrow(
    "--output xml: must be one of table, json, yaml",
  );
});
