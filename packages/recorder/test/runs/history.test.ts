import fc from "fast-check";
import { expect, test } from "vitest";
import { History, type HistoryQuery } from "../../src/runs/history.ts";
import { nameMatcher } from "../../src/runs/name-matcher.ts";
import { type Run, runText } from "@kindling/recorder-client";
import { someRun } from "../support/some-run.ts";

const ALL: HistoryQuery = { mayShow: () => true };

function historyOf(...runs: readonly Partial<Run>[]): History {
  const history = new History();
  runs.forEach((run, index) => history.add(someRun({ uid: `uid-${index}`, ...run })));
  return history;
}

function uids(history: History, query: Partial<HistoryQuery>): string[] {
  return history.find({ ...ALL, ...query }, 100).runs.map(({ uid }) => uid);
}

test("the newest runs come first", () => {
  const history = historyOf({ ended: 2_000 }, { ended: 3_000 }, { ended: 1_000 });
  expect(uids(history, {})).toEqual(["uid-1", "uid-0", "uid-2"]);
});

test("runs are found by what they are", () => {
  const history = historyOf(
    { namespace: "etl", name: "daily", state: "failed", ended: 1_000 },
    { namespace: "ml", name: "train-7", id: "spark-9", queue: "gpu", labels: { team: "blue" }, ended: 2_000 },
    { namespace: "ml", name: "train-8", driver: "train-8-driver", state: "lost", ended: 3_000 },
  );
  expect(uids(history, { namespace: "ml" })).toEqual(["uid-2", "uid-1"]);
  expect(uids(history, { states: new Set(["failed", "lost"]) })).toEqual(["uid-2", "uid-0"]);
  expect(uids(history, { name: "train-*" })).toEqual(["uid-2", "uid-1"]);
  expect(uids(history, { name: "train-8-driver" })).toEqual(["uid-2"]);
  expect(uids(history, { name: "spark-9" })).toEqual(["uid-1"]);
  expect(uids(history, { queue: "gpu" })).toEqual(["uid-1"]);
  expect(uids(history, { queue: "cpu" })).toEqual([]);
  expect(uids(history, { labels: { team: "blue" } })).toEqual(["uid-1"]);
  expect(uids(history, { since: 2_000 })).toEqual(["uid-2", "uid-1"]);
  expect(uids(history, { until: 2_000 })).toEqual(["uid-0"]);
});

test("nothing of a namespace is shown that may not be seen", () => {
  const history = historyOf({ namespace: "etl" }, { namespace: "secret" });
  expect(uids(history, { mayShow: (namespace) => namespace === "etl" })).toEqual(["uid-0"]);
  expect(uids(history, { namespace: "secret", mayShow: (namespace) => namespace === "etl" })).toEqual([]);
});

test("pages follow each other without a gap, also where runs ended at the same time", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      (ends, size) => {
        const history = historyOf(...ends.map((ended) => ({ ended })));
        const seen: string[] = [];
        let after: HistoryQuery["after"];
        for (let page = 0; page <= ends.length; page++) {
          const { runs, hasMore } = history.find({ ...ALL, after }, size);
          seen.push(...runs.map(({ uid }) => uid));
          const last = runs.at(-1);
          if (!hasMore || last === undefined) break;
          after = { ended: last.ended, uid: last.uid };
        }
        expect(seen).toEqual(uids(history, {}));
        expect(new Set(seen).size).toBe(ends.length);
      },
    ),
  );
});

test("a run that is loaded again counts once, and one that was removed not at all", () => {
  const history = historyOf({ ended: 1_000 }, { ended: 2_000 });
  history.load(Buffer.from(`${runText(someRun({ uid: "uid-0", ended: 1_000, why: "later" }))}\n`));
  expect(history.size).toBe(2);
  expect(history.byUid("uid-0")?.why).toBe("later");
  history.remove("uid-0");
  history.remove("uid-0");
  expect([history.size, history.byUid("uid-0")]).toEqual([1, undefined]);
  history.add(someRun({ uid: "uid-5", ended: 3_000 }));
  expect(uids(history, {})).toEqual(["uid-5", "uid-1"]);
});

test("lines that are no runs are left out", () => {
  const good = runText(someRun());
  const bad = ["", "{", "null", "[]", '{"uid":"x"}', good.replace("daily-driver", "../etc"), good.slice(0, -4)];
  const history = new History();
  expect(history.load(Buffer.from([...bad, good].join("\n")))).toBe(bad.length - 1);
  expect(uids(history, {})).toEqual(["uid-1"]);
});

test("whatever stands in an index, loading it ends", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(new History().load(Buffer.from(bytes))).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("an asterisk stands for any characters", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), part, (parts, name) => {
      const source = parts.map((text) => text.replaceAll("-", "\\-")).join(".*");
      expect(nameMatcher(parts.join("*"))(name)).toBe(new RegExp(`^${source}$`).test(name));
    }),
  );
});

test("a name finds the same runs as looking at each of them", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "ö", "-"), minLength: 1, maxLength: 4 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "ö", "-", "*", '"', "\\"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 12 }), pattern, (made, name) => {
      const runs = made.map(([own, id], index) => ({
        uid: `uid-${index}`,
        name: own,
        id,
        driver: `x${index}`,
        ended: index,
      }));
      const fits = nameMatcher(name);
      const expected = runs.filter((run) => [run.name, run.id, run.driver].some(fits)).map(({ uid }) => uid);
      expect(uids(historyOf(...runs), { name })).toEqual(expected.toReversed());
    }),
  );
});
