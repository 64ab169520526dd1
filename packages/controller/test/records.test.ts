import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRecords, keyOf, type RecordChange, type RecordIdentity, type Records } from "../src/index.ts";

interface PodRecord extends RecordIdentity {
  readonly app?: string | undefined;
}

function pod(name: string, version: number, app?: string, uid = `uid-${name}`): PodRecord {
  return { namespace: "default", name, uid, resourceVersion: String(version), app };
}

function podRecords(changes: RecordChange<PodRecord>[] = []): Records<PodRecord, "app"> {
  return createRecords<PodRecord, "app">({
    identityOf: (record) => record,
    indexes: { app: ({ app }) => (app === undefined ? [] : [app]) },
    onChange: (change) => changes.push(change),
  });
}

const all = (): boolean => true;

function names(records: Iterable<PodRecord>): string[] {
  return [...records].map(({ name }) => name).toSorted((a, b) => a.localeCompare(b));
}

describe("records", () => {
  test("are those of the last list and of the events since", () => {
    const records = podRecords();
    records.replace([pod("a", 1), pod("b", 2)], "10", all);
    records.put(pod("c", 11));
    records.drop(pod("a", 12));
    expect(names(records.values())).toEqual(["b", "c"]);
    expect([records.get("default/c")?.name, records.size]).toEqual(["c", 2]);
    records.replace([pod("d", 15)], "20", all);
    expect(names(records.values())).toEqual(["d"]);
  });

  test("of a namespace are not missing in a list of another", () => {
    const records = podRecords();
    records.put({ ...pod("a", 1), namespace: "other" });
    records.replace([pod("b", 2)], "3", ({ namespace }) => namespace === "default");
    expect(names(records.values())).toEqual(["a", "b"]);
  });

  test("are found by an index, also when their values change", () => {
    const records = podRecords();
    records.replace([pod("a", 1, "x"), pod("b", 2, "x"), pod("c", 3, "y"), pod("d", 4)], "4", all);
    records.put(pod("a", 5, "y"));
    records.drop(pod("b", 6, "x"));
    expect(names(records.byIndex("app", "x"))).toEqual([]);
    expect(names(records.byIndex("app", "y"))).toEqual(["a", "c"]);
  });

  test("tell what changed, and nothing of what did not; of a deletion the last state", () => {
    const changes: RecordChange<PodRecord>[] = [];
    const records = podRecords(changes);
    const [a, b] = [pod("a", 1), pod("b", 1)];
    records.replace([a, b], "1", all);
    records.replace([{ ...a }, pod("c", 2)], "2", all);
    records.put(pod("a", 3));
    records.drop(pod("unknown", 4));
    records.drop(pod("c", 5, "last"));
    expect(changes.map(({ type, record }) => `${type} ${record.name} ${record.app ?? "-"}`)).toEqual([
      ...["added a -", "added b -", "deleted b -", "added c -", "updated a -", "deleted c last"],
    ]);
  });

  test("tell of an object that was replaced by another one of the same name", () => {
    const changes: RecordChange<PodRecord>[] = [];
    const records = podRecords(changes);
    records.replace([pod("a", 5, undefined, "1")], "5", all);
    records.replace([pod("a", 5, undefined, "2")], "6", all);
    expect(changes.at(-1)).toMatchObject({ type: "updated", record: { uid: "2" }, previous: { uid: "1" } });
  });

  test("go by a list that is older than what a watch told, as that of a restored backup", () => {
    const records = podRecords();
    records.put(pod("a", 50, "new"));
    records.replace([pod("a", 7, "restored")], "8", all);
    expect(records.get("default/a")?.app).toBe("restored");
  });
});

describe("own writes", () => {
  test("are seen at once, and not undone by what the watch tells of earlier states", () => {
    const records = podRecords();
    records.put(pod("a", 1, "old"));
    records.note(pod("a", 9, "own"));
    records.put(pod("a", 5, "between"));
    records.replace([pod("a", 6, "listed")], "7", all);
    expect(records.get("default/a")?.app).toBe("own");
    records.put(pod("a", 9, "own"));
    records.put(pod("a", 10, "later"));
    expect(records.get("default/a")?.app).toBe("later");
  });

  test("of new objects outlive a list that was made before them", () => {
    const records = podRecords();
    records.note(pod("a", 9));
    records.replace([], "8", all);
    expect(names(records.values())).toEqual(["a"]);
    records.replace([], "10", all);
    expect(names(records.values())).toEqual([]);
  });

  test("are no news where the watch was quicker", () => {
    const changes: RecordChange<PodRecord>[] = [];
    const records = podRecords(changes);
    records.put(pod("a", 10, "later"));
    records.note(pod("a", 9, "own"));
    expect([records.get("default/a")?.app, changes.length]).toEqual(["later", 1]);
  });

  test("are not taken away with an earlier object of the same name", () => {
    const records = podRecords();
    records.put(pod("a", 1, undefined, "first"));
    records.note(pod("a", 9, undefined, "second"));
    records.drop(pod("a", 8, undefined, "first"));
    records.forget(pod("a", 8, undefined, "first"));
    expect(records.get("default/a")?.uid).toBe("second");
    records.forget(pod("a", 9, undefined, "second"));
    expect(records.size).toBe(0);
  });
});

test("records agree with a plain search, whatever happens", () => {
  const step = fc.tuple(
    fc.constantFrom("put", "drop", "replace", "note"),
    fc.nat(5),
    fc.constantFrom("x", "y", undefined),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const records = podRecords();
      const plain = new Map<string, PodRecord>();
      for (const [version, [kind, number, app]] of steps.entries()) {
        const record = pod(`p${number}`, version + 1, app);
        if (kind === "replace") plain.clear();
        if (kind === "drop") plain.delete(keyOf(record));
        else plain.set(keyOf(record), record);
        if (kind === "replace") records.replace([record], String(version + 1), all);
        else records[kind](record);
      }
      expect(names(records.values())).toEqual(names(plain.values()));
      for (const value of ["x", "y"]) {
        const wanted = [...plain.values()].filter(({ app }) => app === value);
        expect(names(records.byIndex("app", value))).toEqual(names(wanted));
      }
    }),
    { numRuns: 500 },
  );
});

test("the key of an object is its namespace and name, or its name alone", () => {
  expect(keyOf({ namespace: "n", name: "a" })).toBe("n/a");
  expect([keyOf({ name: "node" }), keyOf({ namespace: "", name: "node" })]).toEqual(["node", "node"]);
});
