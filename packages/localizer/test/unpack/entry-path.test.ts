import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ArchiveFault } from "../../src/unpack/archive-entry.ts";
import { checkLinkTarget, entryPath } from "../../src/unpack/entry-path.ts";

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

/** Follows a path as the system does: step by step, link by link. Answers how far up it ever was from the root. */
function follow(links: ReadonlyMap<string, string>, start: readonly string[], target: string): "inside" | "outside" {
  let at = [...start];
  let steps = 0;
  const pending = target.split("/").filter((segment) => segment !== "" && segment !== ".");
  while (pending.length > 0) {
    if (++steps > 200) return "inside";
    const segment = pending.shift();
    if (segment === "..") {
      if (at.pop() === undefined) return "outside";
    } else if (segment !== undefined) {
      const next = [...at, segment];
      const link = links.get(next.join("/"));
      if (link === undefined) at = next;
      else pending.unshift(...link.split("/").filter((each) => each !== "" && each !== "."));
    }
  }
  return "inside";
}

test("no set of accepted links leads outside, whatever path is taken through them", () => {
  const name = fc.constantFrom("a", "b", "c", "d");
  const link = fc.record({
    directory: fc.array(name, { maxLength: 3 }),
    name,
    target: fc
      .array(fc.constantFrom("..", "a", "b", "c", "d", "."), { minLength: 1, maxLength: 5 })
      .map((p) => p.join("/")),
  });
  fc.assert(
    fc.property(fc.array(link, { maxLength: 8 }), (all) => {
      const links = new Map<string, string>();
      for (const { directory, name, target } of all) {
        // As when unpacking: the directories of a link are none themselves.
        const real = directory.every((_, depth) => !links.has(directory.slice(0, depth + 1).join("/")));
        const ok = real && accepted(() => (checkLinkTarget(name, directory, target, []), true)) === true;
        const key = [...directory, name].join("/");
        const isDirectory = [...links.keys()].some((other) => other.startsWith(`${key}/`));
        if (ok && !links.has(key) && !isDirectory) links.set(key, target);
      }
      for (const [key, target] of links) {
        expect(follow(links, key.split("/").slice(0, -1), target), `${key} -> ${target}`).toBe("inside");
      }
    }),
    { numRuns: 2000 },
  );
});
