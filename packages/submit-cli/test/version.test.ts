import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { versionText, VERSION } from "../src/version.ts";

test("the version is package.json's", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  expect(VERSION).toBe(manifest.version);
  expect(versionText()).toContain(`kindling ${manifest.version} `);
});
