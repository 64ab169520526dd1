import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ArchiveFault } from "../../src/unpack/archive-entry.ts";
import { entryPath } from "../../src/unpack/entry-path.ts";

const part = fc.oneof(fc.constantFrom("..", ".", "", "a", "b", "..."), fc.string({ maxLength: 6 }));
const path = fc.array(part, { maxLength: 8 }).map((parts) => parts.join("/"));

function accepted<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof ArchiveFault) return undefined;
    throw error;
  }
}

test("an accepted entry lies where the system would look for it, inside the archive", () => {
  fc.assert(
    fc.property(path, (name) => {
      const segments = accepted(() => entryPath(name));
      fc.pre(segments !== undefined);
      expect(["/archive", ...segments].join("/")).toBe(resolve("/archive", name));
    }),
  );
});
