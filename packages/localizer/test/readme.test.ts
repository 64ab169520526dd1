import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseLocalizerConfig } from "../src/config/index.ts";
import { CREDENTIAL_FILES } from "../src/credentials/credentials.ts";
import { referenceTables } from "./support/reference.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test.each(Object.entries(referenceTables()))("the README's table of %s is what the program goes by", (_, table) => {
  expect(README).toContain(`\n${table}\n`);
});

test("the README's example is a configuration", () => {
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(README) ?? [];
  expect(parseLocalizerConfig(example).files).toHaveLength(3);
});

test.each(Object.values(CREDENTIAL_FILES))("the README tells of the credentials' %s", (name) => {
  expect(README).toContain(`| \`${name}\` |`);
});
