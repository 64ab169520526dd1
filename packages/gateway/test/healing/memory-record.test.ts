import type { KubeObject } from "@kindling/kube-objects";
import { aPod } from "@kindling/test-kit/a-pod";
import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryRecord, memoryRecordText, memoryWords } from "../../src/healing/memory-record.ts";

function driver(annotation: string): KubeObject {
  const built = aPod("etl-driver").driver().annotations({ "gateway.kindling/memory": annotation }).stored();
  return built as unknown as KubeObject;
}

test("what is recorded can be read", () => {
  const amount = fc.integer({ min: 1, max: 1_000_000 });
  const size = fc.record({ heap: amount, total: amount, slots: amount });
  const count = fc.integer({ min: 0, max: 9 });
  const profile = fc.record({
    ...{ first: size, now: size, raises: count, counted: count },
    ...{ words: fc.string(), isExhausted: fc.boolean() },
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(99), profile), { maxLength: 20 }), (entries) => {
      const record = new Map(entries.map(([id, one]) => [String(id), one]));
      expect(memoryRecord(driver(memoryRecordText(record)))).toEqual(record);
    }),
  );
});

test.each(["", "[]", "no JSON", '{"profiles":[]}', '{"profiles":{"0":{"first":{}}}}', '{"profiles":{"0":null}}'])(
  "%j records nothing",
  (text) => {
    expect(memoryRecord(driver(text)).size).toBe(0);
    expect(memoryWords(driver(text))).toBeUndefined();
  },
);

test("a driver without the annotation has no record", () => {
  const pod = aPod("etl-driver").driver().stored() as unknown as KubeObject;
  expect([memoryRecord(pod).size, memoryWords(pod)]).toEqual([0, undefined]);
});
