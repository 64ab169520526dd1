import { array, check, constantFrom, nat, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { createObjectStore, keyOf, labelIndex, type KubeObject, type StoreChange } from "../../src/index.ts";

let version = 0;

function pod(name: string, app?: string, namespace = "default"): KubeObject {
  const labels = app === undefined ? {} : { app };
  return { kind: "Pod", metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: String(++version), labels } };
}

function names(objects: Iterable<KubeObject>): string[] {
  return [...objects].map((object) => object.metadata?.name ?? "").toSorted((a, b) => a.localeCompare(b));
}

describe("an object store", () => {
  test("holds the objects of the last list and of the events since", () => {
    const store = createObjectStore();
    expect(store.resourceVersion).toBeUndefined();
    store.replace([pod("a"), pod("b")], "10");
    store.apply({ type: "ADDED", object: pod("c"), resourceVersion: "11" });
    store.apply({ type: "DELETED", object: pod("a"), resourceVersion: "12" });
    store.apply({ type: "BOOKMARK", resourceVersion: "15" });
    expect(names(store.values())).toEqual(["b", "c"]);
    expect(store.get("default/c")?.metadata?.name).toBe("c");
    expect([store.size, store.resourceVersion]).toEqual([2, "15"]);
    store.replace([pod("d")], "20");
    expect(names(store.values())).toEqual(["d"]);
  });

  test("finds objects by their labels, also when these change", () => {
    const store = createObjectStore({ indexes: { app: labelIndex("app") } });
    store.replace([pod("a", "x"), pod("b", "x"), pod("c", "y"), pod("d")], "1");
    expect(names(store.byIndex("app", "x"))).toEqual(["a", "b"]);
    store.apply({ type: "MODIFIED", object: pod("a", "y"), resourceVersion: "2" });
    store.apply({ type: "DELETED", object: pod("b", "x"), resourceVersion: "3" });
    expect(names(store.byIndex("app", "x"))).toEqual([]);
    expect(names(store.byIndex("app", "y"))).toEqual(["a", "c"]);
  });

  test("tells what changed, and nothing of what did not", () => {
    const changes: string[] = [];
    const store = createObjectStore({
      onChange: (change: StoreChange<KubeObject>) => changes.push(`${change.type} ${change.object.metadata?.name}`),
    });
    const [a, b] = [pod("a"), pod("b")];
    store.replace([a, b], "1");
    store.replace([structuredClone(a), pod("c")], "2");
    store.apply({ type: "MODIFIED", object: pod("a"), resourceVersion: "3" });
    store.apply({ type: "DELETED", object: pod("unknown"), resourceVersion: "4" });
    expect(changes).toEqual(["added a", "added b", "deleted b", "added c", "updated a"]);
  });

  test("tells of an object that was replaced by another one of the same name", () => {
    const updates: StoreChange<KubeObject>[] = [];
    const store = createObjectStore({ onChange: (change: StoreChange<KubeObject>) => updates.push(change) });
    const first = { metadata: { name: "a", uid: "1", resourceVersion: "5" } };
    const second = { metadata: { name: "a", uid: "2", resourceVersion: "5" } };
    store.replace([first], "1");
    store.replace([second], "2");
    expect(updates.at(-1)).toEqual({ type: "updated", object: second, previous: first });
  });

  test("agrees with a plain search, whatever happens", () => {
    const step = tuple(constantFrom("put", "delete", "replace"), nat(5), constantFrom("x", "y", undefined));
    const agrees = property(array(step, { maxLength: 40 }), (steps) => {
      const store = createObjectStore({ indexes: { app: labelIndex("app") } });
      const plain = new Map<string, KubeObject>();
      for (const [kind, index, app] of steps) {
        const object = pod(`p${index}`, app);
        if (kind === "replace") {
          plain.clear();
          plain.set(keyOf(object), object);
          store.replace([object], "1");
        } else if (kind === "put") {
          plain.set(keyOf(object), object);
          store.apply({ type: "MODIFIED", object, resourceVersion: "1" });
        } else {
          plain.delete(keyOf(object));
          store.apply({ type: "DELETED", object, resourceVersion: "1" });
        }
      }
      return ["x", "y"].every((value) => {
        const expected = [...plain.values()].filter((object) => object.metadata?.labels?.["app"] === value);
        return String(names(store.byIndex("app", value))) === String(names(expected));
      });
    });
    expect(check(agrees, { numRuns: 500 }).counterexample).toBeNull();
  });
});

test("the key of an object is its namespace and name, or its name alone", () => {
  expect(keyOf(pod("a", undefined, "n"))).toBe("n/a");
  expect(keyOf({ metadata: { name: "node" } })).toBe("node");
});
