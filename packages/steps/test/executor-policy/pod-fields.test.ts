import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { executorPolicy } from "../../src/index.ts";

/** Every field of the pod's spec in Kubernetes 1.37, from its own test data, and how each is judged. */
const LINES = readFileSync(new URL("pod-fields.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

/** A pod's spec with only this field. */
function specWith(path: string, value: unknown): unknown {
  const [first = "", ...rest] = path.split(".");
  const name = first.replaceAll("[]", "");
  const inner = rest.length === 0 ? value : specWith(rest.join("."), value);
  return { [name === "*" ? "key" : name]: first.endsWith("[]") ? [inner] : inner };
}

function excess(path: string, driver: unknown = {}, value: unknown = "value"): string[] {
  const spec = specWith(path, value);
  return executorPolicy({ driver: { spec: driver }, allowance: {} }).excessOf({ spec });
}

describe("of the fields that Kubernetes 1.37 has", () => {
  test("each is decided upon, in order", () => {
    expect(LINES.length).toBeGreaterThan(450);
    expect(LINES).toEqual(LINES.toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1)));
    expect(new Set(LINES.map(pathOf)).size).toBe(LINES.length);
  });

  test("those that are harmless may be had by every executor, and all others by none whose driver has them not", () => {
    const decided = LINES.map((line) => {
      const path = pathOf(line);
      return `${excess(path).length === 0 ? "harmless" : "compared"} spec.${path}`;
    });
    expect(decided).toEqual(LINES);
  });

  test("what a driver's pod has, its executors may have", () => {
    const refused = LINES.map(pathOf).filter((path) => excess(path, specWith(path, "value")).length > 0);
    expect(refused).toEqual([]);
  });
});

// Fields that the next release may have.
test.each([
  ...[
    "containers[].volumeMounts[].newOptions[]",
    "containers[].livenessProbe.grpc.newField",
    "volumes[].emptyDir.newField",
  ],
  ...["volumes[].secret.items[].newField", "volumes[].newKind.path", "newField", "containers[].newField.inner"],
  ...["securityContext.newField", "affinity.newAffinity", "topologySpreadConstraints[].newField"],
])("a field that Kubernetes invents is refused with its path: spec.%s", (path) => {
  const expected = `spec.${path}`.replaceAll("[]", "[0]");
  for (const value of ["value", true, false, 0, {}, { inner: 1 }, [], [1]]) {
    const [found = "", ...more] = excess(path, {}, value);
    expect(more).toEqual([]);
    expect(expected.startsWith(found) && found !== "", `${found} for ${expected}`).toBe(true);
  }
});

function pathOf(line: string): string {
  return line.slice(line.indexOf(" ") + 1).replace(/^spec\./, "");
}
