import { type Clock, systemClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { followLog, type FollowLogOptions } from "../../src/logs/follow-log.ts";
import type { ReadResult } from "../../src/logs/log-reader.ts";

type State = "running" | "ended" | "gone";

/** A clock on which no wait takes time. */
const HASTY: Clock = {
  ...systemClock,
  after(_, callback) {
    const timer = setImmediate(callback);
    return () => clearImmediate(timer);
  },
};

interface Followed {
  readonly gap: string | undefined;
  /** Of each reading: whether it was to go on until the container ends. */
  readonly follows: readonly boolean[];
  /** How long each reading waits for a line. */
  readonly silences: readonly (number | undefined)[];
}

/** Follows a log. Each reading has a result, and the container has another state after it. */
async function followed(begin: State, ...readings: readonly (readonly [ReadResult, State])[]): Promise<Followed> {
  return await followedAs({}, begin, ...readings);
}

async function followedAs(
  known: Pick<FollowLogOptions, "hasBegun" | "isEnding">,
  begin: State,
  ...readings: readonly (readonly [ReadResult, State])[]
): Promise<Followed> {
  const left = [...readings];
  const follows: boolean[] = [];
  const silences: (number | undefined)[] = [];
  let state = begin;
  const gap = await followLog({
    ...known,
    reader: {
      read({ follow, silenceMs }) {
        follows.push(follow);
        silences.push(silenceMs);
        const [result, next] = left.shift() ?? ["no-log", "gone"];
        state = next;
        return Promise.resolve(result);
      },
    },
    stateOf: () => state,
    clock: HASTY,
    random: { fraction: () => 0 },
    signal: new AbortController().signal,
  });
  return { gap, follows, silences };
}

test("a log is followed to the end of its container, and read once more", async () => {
  const { gap, follows } = await followed("running", ["read", "ended"], ["read", "ended"]);
  expect([gap, follows]).toEqual([undefined, [true, false]]);
});

test("of a container that has ended already, the log is read once", async () => {
  const { gap, follows } = await followed("ended", ["read", "ended"]);
  expect([gap, follows]).toEqual([undefined, [false]]);
});

test("a connection that breaks is made again", async () => {
  const { gap, follows } = await followed(
    "running",
    ["broken", "running"],
    ["read", "running"],
    ["read", "ended"],
    ["read", "ended"],
  );
  expect([gap, follows]).toEqual([undefined, [true, true, true, false]]);
});

test("a log that ended with its pod is whole", async () => {
  expect((await followed("running", ["read", "gone"])).gap).toBeUndefined();
});

test("what may be missing is said", async () => {
  expect((await followed("running", ["read", "running"], ["no-log", "gone"])).gap).toBe(
    "the end of it may be missing: its pod was deleted",
  );
  expect((await followed("running", ["no-log", "gone"])).gap).toBe(
    "it is missing: its pod was deleted before it could be read",
  );
});

test("of a container that is being ended, the log's end is the container's, also if its pod is gone before a look at it", async () => {
  const ending = { isEnding: true };
  expect((await followedAs(ending, "running", ["read", "running"], ["no-log", "gone"])).gap).toBeUndefined();
  expect((await followedAs(ending, "running", ["broken", "running"], ["no-log", "gone"])).gap).toBe(
    "it is missing: its pod was deleted before it could be read",
  );
  const begun = { isEnding: true, hasBegun: true };
  expect((await followedAs(begun, "running", ["broken", "running"], ["no-log", "gone"])).gap).toBe(
    "the end of it may be missing: its pod was deleted",
  );
});

test("a log that is silent is asked for again, less and less often", async () => {
  const { gap, follows, silences } = await followed(
    "running",
    ...Array.from({ length: 6 }, () => ["silent", "running"] as const),
    ["read", "ended"],
    ["read", "ended"],
  );
  expect(gap).toBeUndefined();
  expect(follows).toEqual([true, true, true, true, true, true, true, false]);
  expect(silences.slice(0, 6)).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
});
