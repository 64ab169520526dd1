import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { StoreError } from "../errors/store-error.ts";
import { documentCollection } from "../metadata/document.ts";
import { isNumber, isRecord } from "../metadata/shape.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import type { ConformanceCase } from "./conformance-case.ts";

function isConflict(error: unknown): boolean {
  return error instanceof StoreError && error.kind === "conflict";
}

/** The contract of a {@link DocumentStore}. Other documents may exist; only the cases use the collections named here. */
export const documentStoreConformance: readonly ConformanceCase<DocumentStore>[] = [
  {
    name: "gives back what was put",
    async run(documents) {
      const name = randomUUID();
      const value = { text: "Grüße, 世界 \u2028", list: [1, 2.5, null, true], nested: { empty: {} } };
      await documents.put("cases", name, value, { expect: undefined });
      assert.deepEqual((await documents.get("cases", name))?.value, value);
      assert.equal(await documents.get("cases", randomUUID()), undefined);
      assert.equal(await documents.get("other-cases", name), undefined);
    },
  },
  {
    name: "gives back a large document",
    async run(documents) {
      const name = randomUUID();
      const value = { list: Array.from({ length: 20_000 }, (_, index) => `entry ${index}`) };
      await documents.put("cases", name, value, { expect: undefined });
      assert.deepEqual((await documents.get("cases", name))?.value, value);
    },
  },
  {
    name: "creates a document once",
    async run(documents) {
      const name = randomUUID();
      await documents.put("cases", name, 1, { expect: undefined });
      await assert.rejects(documents.put("cases", name, 2, { expect: undefined }), isConflict);
      assert.equal((await documents.get("cases", name))?.value, 1);
    },
  },
  {
    name: "changes a document only from the version named",
    async run(documents) {
      const name = randomUUID();
      const first = await documents.put("cases", name, 1, { expect: undefined });
      const second = await documents.put("cases", name, 2, { expect: first });
      assert.notEqual(second, first);
      await assert.rejects(documents.put("cases", name, 3, { expect: first }), isConflict);
      assert.deepEqual(await documents.get("cases", name), { value: 2, version: second });
    },
  },
  {
    name: "does not change what is not there",
    async run(documents) {
      const name = randomUUID();
      const version = await documents.put("cases", name, 1, { expect: undefined });
      await documents.delete("cases", name);
      await assert.rejects(documents.put("cases", name, 2, { expect: version }), isConflict);
      assert.equal(await documents.get("cases", name), undefined);
    },
  },
  {
    name: "lets one of many creators win",
    async run(documents) {
      const name = randomUUID();
      const attempts = Array.from({ length: 8 }, (_, index) =>
        documents.put("cases", name, index, { expect: undefined }).then(
          () => index,
          (error: unknown) => {
            assert.ok(isConflict(error), String(error));
            return undefined;
          },
        ),
      );
      const winners = (await Promise.all(attempts)).filter((index) => index !== undefined);
      assert.equal(winners.length, 1);
      assert.equal((await documents.get("cases", name))?.value, winners[0]);
    },
  },
  {
    name: "loses no change of many writers",
    async run(documents) {
      const name = randomUUID();
      const counters = documentCollection(documents, "cases", isRecord<{ count: number }>({ count: isNumber }));
      await counters.create(name, { count: 0 });
      const add = async (): Promise<void> => {
        for (let round = 0; round < 3; round++) await counters.update(name, ({ count }) => ({ count: count + 1 }));
      };
      await Promise.all([add(), add(), add(), add()]);
      assert.deepEqual((await counters.get(name))?.value, { count: 12 });
    },
  },
  {
    name: "deletes a document, and takes it again",
    async run(documents) {
      const name = randomUUID();
      await documents.put("cases", name, 1, { expect: undefined });
      await documents.delete("cases", name);
      await documents.delete("cases", name);
      assert.equal(await documents.get("cases", name), undefined);
      await documents.put("cases", name, 2, { expect: undefined });
      assert.equal((await documents.get("cases", name))?.value, 2);
    },
  },
  {
    name: "lists a collection with its versions",
    async run(documents) {
      const collection = `list-${randomUUID()}`;
      const names = [randomUUID(), randomUUID(), randomUUID()];
      for (const name of names) await documents.put(collection, name, { name }, { expect: undefined });
      const [first = ""] = names;
      const before = await documents.list(collection);
      assert.deepEqual(before.map(({ name }) => name).sort(), names.toSorted());
      const current = await documents.get(collection, first);
      assert.equal(before.find(({ name }) => name === first)?.version, current?.version, "as `get` tells it");
      const changed = await documents.put(collection, first, { name: "new" }, { expect: current?.version });
      const after = await documents.list(collection);
      assert.equal(after.find(({ name }) => name === first)?.version, changed, "as `put` tells it");
      await documents.delete(collection, first);
      assert.equal((await documents.list(collection)).length, 2);
      for (const name of names) await documents.delete(collection, name);
      assert.deepEqual(await documents.list(collection), []);
    },
  },
  {
    name: "counts a document that was set aside as absent, and takes another one in its place",
    async run(documents) {
      const name = randomUUID();
      const version = await documents.put("cases", name, { wrong: "shape" }, { expect: undefined });
      await documents.setAside("cases", name, version, "a case of the conformance suite");
      assert.equal(await documents.get("cases", name), undefined);
      assert.ok((await documents.damaged("cases")).includes(name), "it is known to be damaged");
      assert.match((await documents.remains("cases", name)) ?? "", /wrong/, "what is left of it can be looked at");
      const next = await documents.put("cases", name, 2, { expect: undefined });
      assert.deepEqual(await documents.get("cases", name), { value: 2, version: next });
      await documents.put("cases", name, 3, { expect: next });
      await documents.delete("cases", name);
    },
  },
  {
    name: "sets no document aside that has changed since",
    async run(documents) {
      const name = randomUUID();
      const version = await documents.put("cases", name, 1, { expect: undefined });
      await documents.put("cases", name, 2, { expect: version });
      await documents.setAside("cases", name, version, "a case of the conformance suite");
      assert.equal((await documents.get("cases", name))?.value, 2);
    },
  },
  {
    name: "changes a document whose contents are not of its kind into one that is",
    async run(documents) {
      const name = randomUUID();
      const counters = documentCollection(documents, "cases", isRecord<{ count: number }>({ count: isNumber }));
      await documents.put("cases", name, { count: "many" }, { expect: undefined });
      assert.equal(await counters.get(name), undefined);
      assert.equal(await counters.update(name, ({ count }) => ({ count: count + 1 })), undefined);
      await counters.create(name, { count: 1 });
      assert.deepEqual((await counters.update(name, ({ count }) => ({ count: count + 1 })))?.value, { count: 2 });
    },
  },
  {
    name: "deletes the version that it was told to, and no other",
    async run(documents) {
      if (documents.deleteVersion === undefined) return;
      const name = randomUUID();
      const first = await documents.put("cases", name, 1, { expect: undefined });
      const second = await documents.put("cases", name, 2, { expect: first });
      await assert.rejects(documents.deleteVersion("cases", name, first), isConflict);
      await documents.deleteVersion("cases", name, second);
      assert.equal(await documents.get("cases", name), undefined);
    },
  },
  {
    name: "keeps collections of two parts apart",
    async run(documents) {
      const parent = `parent-${randomUUID()}`;
      await documents.put(`${parent}/a`, "x", 1, { expect: undefined });
      await documents.put(`${parent}/b`, "x", 2, { expect: undefined, relaxed: true });
      assert.deepEqual([...(await documents.collections(parent))].sort(), ["a", "b"]);
      assert.equal((await documents.get(`${parent}/a`, "x"))?.value, 1);
      assert.deepEqual(
        (await documents.list(`${parent}/b`)).map(({ name }) => name),
        ["x"],
      );
      assert.deepEqual(await documents.list(parent), []);
      await documents.delete(`${parent}/a`, "x");
      await documents.delete(`${parent}/b`, "x");
      assert.deepEqual(await documents.collections(parent), []);
    },
  },
];
