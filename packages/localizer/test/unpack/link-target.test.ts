import fc from "fast-check";
import { expect, test } from "vitest";
import { ArchiveFault } from "../../src/unpack/archive-entry.ts";
import { checkLinkTarget } from "../../src/unpack/link-target.ts";

const CLOSED = ["/proc", "/run", "/var/run", "/var/spark-data"];
const RULES = { allowed: ["/"], closed: CLOSED };

function isAccepted(directory: readonly string[], target: string, rules = RULES): boolean {
  try {
    checkLinkTarget("link", directory, target, rules);
    return true;
  } catch (error) {
    if (error instanceof ArchiveFault) return false;
    throw error;
  }
}

// Links as in environments of `venv`, virtualenv, conda, pyenv, Debian and Nix.
test.each([
  "/usr/bin/python3",
  "/usr/local/bin/python3.11",
  "/root/.pyenv/versions/3.11.7/bin/python3",
  "/home/ada/miniconda3/envs/etl/bin/python",
  "/opt/conda/lib/libssl.so.3",
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/ssl",
  "/usr/share/zoneinfo/",
  "/nix/store/abc-python3/bin/python3",
  "/var/lib/gems",
  "/processes",
])("a link into the image is taken: %s", (target) => {
  expect(isAccepted(["bin"], target)).toBe(true);
});

test.each([
  ["processes", "/proc/self/environ"],
  ["processes, by other spellings", "//proc/./self//environ"],
  ["the token of the service account", "/var/run/secrets/kubernetes.io/serviceaccount/token"],
  ["the same", "/run/secrets/kubernetes.io/serviceaccount/token"],
  ["what the localizer has brought", "/var/spark-data/other"],
  ["everything", "/"],
  ["everything, by another spelling", "/./"],
  ["a folder with closed places in it", "/var"],
  ["a closed place, by a detour", "/usr/../proc/self/environ"],
])("a link to %s is refused: %s", (_, target) => {
  expect(isAccepted(["bin"], target)).toBe(false);
});

test("absolute links can be limited to some directories", () => {
  const rules = { ...RULES, allowed: ["/usr", "/var/run"] };
  expect(isAccepted([], "/usr/bin/python3", rules)).toBe(true);
  expect(isAccepted([], "/usr2/bin/python3", rules)).toBe(false);
  expect(isAccepted([], "/opt/conda/bin/python3", rules)).toBe(false);
  expect(isAccepted([], "/var/run/docker.sock", rules)).toBe(false);
  expect(isAccepted([], "/usr/bin/python3", { ...RULES, allowed: [] })).toBe(false);
});

/** Follows a path as the system does: step by step, link by link. Returns whether it ever left the root. */
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

test("no set of accepted relative links leads outside, whatever path is taken through them", () => {
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
        // As in unpacking: the directories of a link are no links themselves.
        const real = directory.every((_, depth) => !links.has(directory.slice(0, depth + 1).join("/")));
        const ok = real && isAccepted(directory, target);
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

test("no set of accepted links leads to a closed place, whatever path is taken through them", () => {
  const part = fc.constantFrom("..", "a", "b", "proc", "run", "var", "usr", ".");
  const target = fc
    .tuple(fc.boolean(), fc.array(part, { minLength: 1, maxLength: 4 }))
    .map(([absolute, parts]) => (absolute ? "/" : "") + parts.join("/"));
  const link = fc.record({ name: fc.constantFrom("a", "b", "var"), target });
  const top = ["archive"];
  fc.assert(
    fc.property(fc.array(link, { maxLength: 5 }), (all) => {
      const links = new Map<string, string>();
      for (const { name, target: to } of all) {
        const key = [...top, name].join("/");
        if (!links.has(key) && isAccepted([], to)) links.set(key, to);
      }
      for (const [key, to] of links) {
        const end = whereto(links, to.startsWith("/") ? [] : top, to);
        const closed = CLOSED.find((place) => `${end}/`.startsWith(`${place}/`));
        expect(closed, `${key} -> ${to}`).toBeUndefined();
      }
    }),
    { numRuns: 5000 },
  );
});

/** Where a path ends when links are followed from the root of all files; an endless path ends nowhere. */
function whereto(links: ReadonlyMap<string, string>, start: readonly string[], target: string): string {
  let at = [...start];
  const pending = target.split("/");
  for (let steps = 0; pending.length > 0 && steps < 200; steps++) {
    const segment = pending.shift() ?? "";
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      at = at.slice(0, -1);
      continue;
    }
    const link = links.get([...at, segment].join("/"));
    if (link === undefined) at.push(segment);
    else {
      if (link.startsWith("/")) at = [];
      pending.unshift(...link.split("/"));
    }
  }
  return pending.length > 0 ? "" : `/${at.join("/")}`;
}
