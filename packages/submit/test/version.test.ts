import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { USER_AGENT } from "../src/version.ts";

test("requests name the version that package.json has", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  expect(USER_AGENT).toBe(`kindling/${manifest.version}`);
});
