import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FLAGS } from "../../src/flags/flag-table.ts";
import { flagsReference } from "../../src/flags/usage.ts";
import { LATER_STOCK_FLAGS, STOCK_FLAGS } from "./stock-flags.ts";

/** There is no client-side limit by default. */
const OTHER_DEFAULTS = { "kube-api-qps": "", "kube-api-burst": "" };
const OWN = ["submissions", "gateway", "enforce-resource-quota", "audit-log-path", "log-level"];

test("all flags of stock's operator are there, with their defaults, and a few of our own", () => {
  const ours = FLAGS.map(({ name, default: value }) => [name, value]).filter(([name = ""]) => !OWN.includes(name));
  expect(Object.fromEntries(ours)).toEqual({ ...STOCK_FLAGS, ...LATER_STOCK_FLAGS, ...OTHER_DEFAULTS });
  expect(FLAGS.map(({ name }) => name)).toEqual(expect.arrayContaining(OWN));
});

test("a flag is there once, and tells what it does or why it does nothing", () => {
  expect(new Set(FLAGS.map(({ name }) => name)).size).toBe(FLAGS.length);
  for (const { doc, withoutEffect = "" } of FLAGS) expect(doc === "").toBe(withoutEffect !== "");
});

test("the reference of flags is up to date", () => {
  const page = new URL("../../docs/flags.md", import.meta.url);
  expect(readFileSync(page, "utf8"), "write it with node tools/references/service-settings.mjs").toBe(flagsReference());
});
