import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { absolutePath } from "../../../src/plan/files/absolute-path.ts";

test("paths become absolute as Node makes them on POSIX systems", () => {
  const part = fc.constantFrom("", ".", "..", "a", "b.c", "...", " ", "é");
  const path = fc.array(part, { maxLength: 8 }).map((parts) => parts.join("/"));
  const named = path.filter((text) => text !== "");
  fc.assert(
    fc.property(path, named, (folder, file) => {
      expect(absolutePath(`/${folder}`, file)).toBe(posix.resolve(`/${folder}`, file));
    }),
    { numRuns: 1000 },
  );
});

test("an empty path names nothing, and not the folder", () => {
  expect(absolutePath("/folder", "")).toBe("");
});
