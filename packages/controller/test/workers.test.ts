import { ManualClock, systemRandom } from "@kindling/outside";
import { expect, test } from "vitest";
import {
  againAfter,
  againLater,
  type Controller,
  done,
  type ReconcileResult,
  type RunningController,
  startController,
  type WorkersOptions,
} from "../src/index.ts";

interface Setting {
  readonly clock: ManualClock;
  readonly running: RunningController;
  readonly seen: readonly string[];
  readonly lines: readonly string[];
}

/** A controller without watches, with given results. */
function run(
  answer: (key: string, count: number) => ReconcileResult | Promise<ReconcileResult>,
  options: Partial<WorkersOptions & Controller> = {},
): Setting {
  const clock = new ManualClock();
  const seen: string[] = [];
  const lines: string[] = [];
  const line = (message: string, fields: object = {}): void =>
    void lines.push([message, ...Object.values(fields)].join(" "));
  const running = startController(
    {
      name: "test",
      watches: [],
      workers: 2,
      async reconcile(key) {
        seen.push(key);
        return await answer(key, seen.filter((one) => one === key).length);
      },
      ...options,
    },
    {
      ...{ clock, random: systemRandom(), log: { debug: line, info: line, warn: line, error: line } },
      backOff: { baseMs: 100, capMs: 1_000 },
      ...options,
    },
  );
  return { clock, running, seen, lines };
}

test("a key is seen to once, and again when somebody adds it", async () => {
  const { clock, running, seen } = run(() => done);
  running.add("n/a");
  await clock.advance(60_000);
  expect(seen).toEqual(["n/a"]);
  running.add("n/a");
  await clock.advance(0);
  expect(seen).toEqual(["n/a", "n/a"]);
  await running.stop();
});

test("a key comes again after the time that was asked for", async () => {
  const { clock, running, seen } = run((_key, count) => (count === 1 ? againAfter(5_000) : done));
  running.add("n/a");
  await clock.advance(4_999);
  expect(seen).toHaveLength(1);
  await clock.advance(1);
  expect(seen).toHaveLength(2);
  await running.stop();
});

test("a key that fails comes again after waits that grow, until it succeeds; each fault is logged", async () => {
  const { clock, running, seen, lines } = run((_key, count) => {
    if (count < 4) throw new Error(`fault ${count}`);
    return done;
  });
  running.add("n/a");
  const times: number[] = [];
  for (let at = 0; at <= 1_000; at += 50) {
    await clock.advance(at === 0 ? 0 : 50);
    if (seen.length > times.length) times.push(at);
  }
  expect(times).toEqual([0, 100, 300, 700]);
  expect(lines).toEqual(
    [1, 2, 3].map((count) => `a key could not be reconciled, and is tried again test n/a fault ${count}`),
  );
  await running.stop();
});

test("a key that is to come again later waits as one that failed, and nothing is logged", async () => {
  const { clock, running, seen, lines } = run((_key, count) => (count < 3 ? againLater : done));
  running.add("n/a");
  await clock.advance(299);
  expect(seen).toHaveLength(2);
  await clock.advance(1);
  expect([seen.length, lines.length]).toEqual([3, 0]);
  await running.stop();
});

test("after a success the next fault waits no longer than the first", async () => {
  const { clock, running, seen } = run((_key, count) => (count === 3 ? done : againLater));
  running.add("n/a");
  await clock.advance(300);
  running.add("n/a");
  await clock.advance(0);
  expect(seen).toHaveLength(4);
  await clock.advance(100);
  expect(seen).toHaveLength(5);
  await running.stop();
});

test("no key is worked on twice at a time, and no more keys than there are workers", async () => {
  const ends: (() => void)[] = [];
  let inside = 0;
  let most = 0;
  const { clock, running } = run(async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise<void>((resolve) => ends.push(resolve));
    inside -= 1;
    return done;
  });
  for (const key of ["n/a", "n/b", "n/a", "n/c"]) running.add(key);
  await clock.advance(0);
  expect([most, running.busy, running.waiting]).toEqual([2, 2, 1]);
  while (ends.length > 0) {
    ends.shift()?.();
    await clock.advance(0);
  }
  expect([most, running.busy, running.waiting]).toEqual([2, 0, 0]);
  await running.stop();
});

test("a controller that is stopped finishes what is under way, and begins nothing more", async () => {
  let finish: () => void = () => undefined;
  let hasFinished = false;
  const { clock, running, seen } = run(
    async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      hasFinished = true;
      return againAfter(10);
    },
    { workers: 1 },
  );
  running.add("n/a");
  running.add("n/b");
  await clock.advance(0);
  const stopped = running.stop();
  finish();
  await stopped;
  running.add("n/c");
  await clock.advance(60_000);
  expect([seen, hasFinished, clock.pending]).toEqual([["n/a"], true, 0]);
});

test("watches add keys until the controller is stopped", async () => {
  let add: (key: string) => void = () => undefined;
  let hasEnded = false;
  const watches = [
    (adding: (key: string) => void) => {
      add = adding;
      adding("n/there");
      return () => void (hasEnded = true);
    },
  ];
  const { clock, running, seen } = run(() => done, { watches });
  add("n/new");
  await clock.advance(0);
  await running.stop();
  expect([seen, hasEnded]).toEqual([["n/there", "n/new"], true]);
});

test("those who count are told of each key that waits, is seen to, and comes again", async () => {
  const told: string[] = [];
  const note = (word: string) => (key: string, result?: string) =>
    void told.push([word, key, result].filter((text) => text !== undefined).join(" "));
  const observer = {
    ...{ added: note("added"), retried: note("retried"), started: note("started"), ended: note("ended") },
    stopped: () => void told.push("stopped"),
  };
  const results = [againAfter(10), againLater, done];
  const { clock, running } = run((_key, count) => results[count - 1] ?? done, { observer });
  running.add("k");
  await clock.advance(1_000);
  await running.stop();
  expect(told).toEqual([
    ...["added k", "started k", "ended k success", "retried k"],
    ...["started k", "ended k requeue", "retried k"],
    ...["started k", "ended k success", "stopped"],
  ]);
});

test("a single key of one namespace is not behind a thousand of another", async () => {
  const { clock, running, seen } = run(() => done, { workers: 1 });
  for (let number = 0; number < 1_000; number++) running.add(`busy/app-${number}`);
  running.add("quiet/app");
  await clock.advance(0);
  expect(seen.indexOf("quiet/app")).toBeLessThan(3);
  expect(seen).toHaveLength(1_001);
  await running.stop();
});
