import { describe, expect, test } from "vitest";
import { decideGrowth, type GrowthFacts } from "../../../src/controllers/memory-healing/decide-growth.ts";
import type { EndedPod } from "../../../src/healing/memory-words.ts";
import type { ProfileRecord } from "../../../src/healing/memory-record.ts";

const WISH = {
  ...{ learns: false, least: 0, uiPort: undefined, most: undefined, taskCpus: 1, beside: 0 },
  ...{ driverHeap: undefined, executor: undefined, attempts: 4, keepsEnded: false },
};
const FACTS: GrowthFacts = { wish: WISH, profile: "0", limits: [] };
const KILLED: EndedPod = {
  who: "executor 3",
  next: "executors",
  cause: "container",
  exitCode: 137,
  isKilled: true,
  size: { heap: 1024, total: 1408, slots: 1 },
};

/** What is decided about executors that die one after the other, each of the latest size. */
function decisions(cause: EndedPod["cause"], facts: GrowthFacts) {
  let record: ProfileRecord | undefined;
  const all: ReturnType<typeof decideGrowth>[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const decision = decideGrowth({ ...KILLED, cause, size: record?.now ?? KILLED.size }, record, facts);
    record = decision.record;
    all.push(decision);
    if (decision.kind === "exhausted") break;
  }
  return all;
}

test("executors grow three times, and the fourth end is the last", () => {
  const all = decisions("container", FACTS);
  expect(all.map(({ kind }) => kind)).toEqual(["grown", "grown", "grown", "exhausted"]);
  expect(all.map(({ isCounted }) => isCounted)).toEqual([true, true, true, true]);
});

test("Spark does not count the first ends if its tasks may fail less often than there are sizes", () => {
  const all = decisions("container", { ...FACTS, wish: { ...WISH, attempts: 2 } });
  expect(all.map(({ isCounted }) => isCounted)).toEqual([false, false, true, true]);
});

test("an executor of a size that is known to be too small does not count", () => {
  const { record } = decideGrowth(KILLED, undefined, FACTS);
  const decision = decideGrowth({ ...KILLED, who: "executor 2" }, record, FACTS);
  expect([decision.kind, decision.isCounted, decision.record]).toEqual(["known", false, record]);
});

test("it counts if enough attempts are left for the larger sizes, so that a hopeless task fails in time", () => {
  const facts = { ...FACTS, wish: { ...WISH, most: 2000 } };
  const { record } = decideGrowth(KILLED, undefined, facts);
  const second = decideGrowth({ ...KILLED, who: "executor 2" }, record, facts);
  expect([second.kind, second.isCounted, second.record.counted]).toEqual(["known", true, 2]);
  expect(decideGrowth({ ...KILLED, who: "executor 1" }, second.record, facts).isCounted).toBe(true);
  const fourth = decideGrowth({ ...KILLED, who: "executor 4" }, { ...second.record, counted: 3 }, facts);
  expect(fourth.isCounted).toBe(false);
});

describe("an executor that only collects garbage", () => {
  const collecting = { id: "3", collectedMs: 29_000, ofMs: 30_000 };
  const ended: EndedPod = { ...KILLED, cause: "heap", collecting };

  test("gets twice its heap at once, and then all that there is", () => {
    const first = decideGrowth(ended, undefined, FACTS);
    expect(first.record.now).toEqual({ heap: 2048, total: 2432, slots: 1 });
    const second = decideGrowth({ ...ended, size: first.record.now }, first.record, FACTS);
    expect([second.record.now.total, second.record.raises]).toEqual([3 * KILLED.size.total, 3]);
  });

  test("gets all that there is if it was made larger before", () => {
    const first = decideGrowth({ ...KILLED, cause: "heap" }, undefined, FACTS);
    expect(first.record.now.heap).toBe(1536);
    const second = decideGrowth({ ...ended, size: first.record.now }, first.record, FACTS);
    expect([second.record.now.total, second.record.raises]).toEqual([3 * KILLED.size.total, 3]);
  });
});

describe("what people are told", () => {
  test("how the executor ended, what the next ones get, and how to begin so", () => {
    expect(decideGrowth(KILLED, undefined, FACTS).words).toBe(
      "executor 3 used more than its container's 1408 MiB, and was killed (OOMKilled); executors from now on have 2112 MiB. " +
        "To begin with that: --conf spark.executor.memory=1024m --conf spark.executor.memoryOverhead=1088m",
    );
    expect(decideGrowth({ ...KILLED, cause: "heap", exitCode: 52 }, undefined, FACTS).words).toBe(
      "Java's heap of 1024 MiB was full in executor 3 (exit code 52); executors from now on have a heap of 1536 MiB in " +
        "1920 MiB. To begin with that: --conf spark.executor.memory=1536m --conf spark.executor.memoryOverhead=384m",
    );
  });

  test("memory that has keys of its own is not overhead", () => {
    const { words } = decideGrowth(KILLED, undefined, { ...FACTS, wish: { ...WISH, beside: 500 } });
    expect(words).toMatch(/spark.executor.memoryOverhead=588m$/);
  });

  test("another resource profile is set in the program", () => {
    const { words } = decideGrowth(KILLED, undefined, { ...FACTS, profile: "2" });
    expect(words).toMatch(/in resource profile 2, memory\("1024m"\) and memoryOverhead\("1088m"\)/);
  });

  test.each<[string, Partial<GrowthFacts>]>([
    ["spark.kindling.memory.max allows 1408 MiB", { wish: { ...WISH, most: 1408 } }],
    ["the ceiling of queue etl is 1400 MiB", { limits: [{ kind: "queue", name: "etl", most: 1400 }] }],
    ["ResourceQuota team allows 1000 MiB", { limits: [{ kind: "quota", name: "team", most: 1000 }] }],
    ["no node has room for more than 1450 MiB", { limits: [{ kind: "nodes", most: 1450 }] }],
  ])("%s, so nothing helps", (words, facts) => {
    const decision = decideGrowth(KILLED, undefined, { ...FACTS, ...facts });
    expect([decision.kind, decision.record?.isExhausted]).toEqual(["exhausted", true]);
    expect(decision.words).toBe(
      `executor 3 used more than its container's 1408 MiB, and was killed (OOMKilled), and it gets no more: ${words}`,
    );
  });

  test("an application that began with more than it asks for has the limit of what it asks for", () => {
    const learned = { ...KILLED, size: { heap: 1024, total: 4000, slots: 1 } };
    const decision = decideGrowth(learned, undefined, { ...FACTS, asked: 1408 });
    expect([decision.kind, decision.words]).toEqual([
      "exhausted",
      expect.stringMatching(/at most three times its first memory, 4224 MiB$/),
    ]);
  });

  test("without a limit of its own, an application is told how to get more", () => {
    const last = decisions("container", FACTS).at(-1);
    expect(last?.words).toMatch(
      /without spark.kindling.memory.max a pod gets at most three times its first memory, 4224 MiB$/,
    );
  });

  test("tasks run one after the other where there is no more memory", () => {
    const ended = { ...KILLED, size: { ...KILLED.size, slots: 4 } };
    const { words } = decideGrowth(ended, undefined, { ...FACTS, wish: { ...WISH, most: 1408 } });
    expect(words).toMatch(/allows 1408 MiB, so executors from now on run one task at a time$/);
  });
});
