import fc from "fast-check";
import { expect, test } from "vitest";
import { isName, parseRun, readRecord, type Run, RUN_STATES, runText } from "../src/index.ts";

const name = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,30}$/);
const amount = fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => (value === 0 ? 0 : value));
const count = fc.nat();
const time = fc.nat({ max: 8.64e15 });

const usage = fc.record(
  { nodeType: fc.string(), spot: fc.boolean(), coreSeconds: amount, gibSeconds: amount },
  { requiredKeys: ["spot", "coreSeconds", "gibSeconds"] },
);
const run: fc.Arbitrary<Run> = fc.record(
  {
    ...{ namespace: name, day: fc.constant("2026-11-21"), driver: name, uid: name },
    ...{ id: fc.string(), application: fc.string(), name: fc.string(), attempt: fc.integer({ min: 1, max: 1e6 }) },
    ...{ state: fc.constantFrom(...RUN_STATES), started: time, ended: time },
    ...{ cause: fc.string(), why: fc.string(), sparkVersion: fc.string(), queue: fc.string(), eventLog: name },
    ...{ labels: fc.dictionary(name, fc.string()), executors: count, usage: fc.array(usage, { maxLength: 3 }) },
    bytes: count,
  },
  {
    requiredKeys: [
      ...(["namespace", "day", "driver", "uid", "id", "application", "name", "attempt", "state"] as const),
      ...(["started", "ended", "labels", "executors", "usage", "bytes"] as const),
    ],
  },
);

test("a run is read as it was written", () => {
  fc.assert(
    fc.property(run, (one) => {
      expect(parseRun(runText(one))).toEqual(one);
    }),
  );
});

test("any text and any JSON is read, or is no run", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(() => parseRun(text)).not.toThrow();
    }),
  );
});

test("a record may have anything beside its run", () => {
  const member = fc.constantFrom("findings", "events", "logs", "executorEnds", "termination", "configuration", "image");
  fc.assert(
    fc.property(run, fc.dictionary(member, fc.jsonValue()), (one, others) => {
      expect(readRecord({ ...others, run: one })?.run).toEqual(one);
    }),
  );
});

test.each(["..", "a/b", "", ".hidden", "a..b", "-x", "x".repeat(254), "a\nb"])(
  "%j is no name in an archive",
  (text) => {
    expect(isName(text)).toBe(false);
  },
);
