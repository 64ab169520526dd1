import { expect, test } from "vitest";
import { historyAddress, historyFilterOf, runQueryOf } from "../../../src/console/history/history-filter.ts";

const read = (text: string) => historyFilterOf(new URLSearchParams(text));

test("the address of a list keeps its filter", () => {
  const filter = read("state=failed&queue=etl.daily&name=da*&namespace=spark-jobs&since=7d&continue=abc&colour=red");
  expect(filter).toEqual({
    ...{ state: "failed", queue: "etl.daily", name: "da*", namespace: "spark-jobs", since: "7d", after: "abc" },
  });
  expect(historyFilterOf(new URL(historyAddress(filter), "http://x").searchParams)).toEqual(filter);
  expect(historyAddress({})).toBe("/history");
  expect(runQueryOf(filter, 1_000_000_000)).toEqual({
    ...{ name: "da*", queue: "etl.daily", states: ["failed"], since: 1_000_000_000 - 7 * 86_400_000 },
  });
});

test.each(["", "state=happy", "since=yesterday", "name=%20", `name=${"x".repeat(300)}`])(
  "%j asks for everything",
  (text) => {
    expect(Object.values(read(text)).filter((value) => value !== undefined)).toEqual([]);
    expect(runQueryOf(read(text), 0)).toEqual({});
  },
);
