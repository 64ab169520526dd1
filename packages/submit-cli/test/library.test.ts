import { createRequire } from "node:module";
import { expect, test } from "vitest";

const manifest: unknown = createRequire(import.meta.url)("../package.json");

test("others can run the command, and use nothing else of it", () => {
  expect(manifest).toMatchObject({ bin: { kindling: "bin/kindling.js" } });
  expect(manifest).toHaveProperty("exports", { "./package.json": "./package.json" });
});
