import { ManualClock } from "@kindling/outside";
import { expect, onTestFinished, test } from "vitest";
import { ExecutorLogs } from "../../src/logs/executor-logs.ts";
import type { ReadOptions, ReadResult } from "../../src/logs/log-reader.ts";

interface Scene {
  readonly clock: ManualClock;
  readonly logs: ExecutorLogs;
  /** How many readings are under way, and how many were at most. */
  readonly count: { now: number; most: number; all: number };
  /** A reader whose readings end when the function is called. */
  readonly reader: () => { readonly read: (options: ReadOptions) => Promise<ReadResult>; readonly end: () => void };
}

function scene(atOnce: number): Scene {
  const clock = new ManualClock();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const logs = new ExecutorLogs({ clock, atOnce, tailsPerSecond: 10, everyMs: 1_000, signal: stopping.signal });
  const count = { now: 0, most: 0, all: 0 };
  return {
    ...{ clock, logs, count },
    reader() {
      const ends: (() => void)[] = [];
      return {
        async read() {
          count.all++;
          count.most = Math.max(count.most, ++count.now);
          await new Promise<void>((resolve) => ends.push(resolve));
          count.now--;
          return "read";
        },
        end: () => ends.splice(0).forEach((end) => end()),
      };
    },
  };
}

const PATIENT = new AbortController().signal;

test("no more logs are read at once than is allowed, and all of them in the end", async () => {
  const { logs, count, reader } = scene(3);
  const readers = Array.from({ length: 10 }, reader);
  const reading = readers.map((one) => logs.readToEnd({ reader: one, isRunning: () => false }, PATIENT));
  for (let round = 0; round < 10; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    readers.forEach((one) => one.end());
  }
  expect(await Promise.all(reading)).toEqual(readers.map(() => "read"));
  expect([count.most, count.all]).toEqual([3, 10]);
});

test("others wait while logs wait for their turn, and for some seconds after that", async () => {
  const { clock, logs, reader } = scene(1);
  const [first, second] = [reader(), reader()];
  const readings = [logs.readToEnd({ reader: first, isRunning: () => false }, PATIENT)];
  expect(logs.areQuiet).toBe(true);
  readings.push(logs.readToEnd({ reader: second, isRunning: () => false }, PATIENT));
  expect(logs.areQuiet).toBe(false);
  for (const one of [first, second]) {
    await new Promise((resolve) => setImmediate(resolve));
    one.end();
  }
  await Promise.all(readings);
  expect(logs.areQuiet).toBe(false);
  await clock.advance(3_000);
  expect(logs.areQuiet).toBe(true);
});

test("who waits too long for a turn gets none, and takes it from nobody", async () => {
  const { logs, count, reader } = scene(1);
  const [first, second, third] = [reader(), reader(), reader()];
  const impatient = new AbortController();
  const readings = [
    logs.readToEnd({ reader: first, isRunning: () => false }, PATIENT),
    logs.readToEnd({ reader: second, isRunning: () => false }, impatient.signal),
    logs.readToEnd({ reader: third, isRunning: () => false }, PATIENT),
  ];
  impatient.abort();
  expect(await readings[1]).toBe("broken");
  first.end();
  expect(await readings[0]).toBe("read");
  await new Promise((resolve) => setImmediate(resolve));
  third.end();
  expect(await readings[2]).toBe("read");
  expect(count.all).toBe(2);
});

test("logs of running executors are read again and again, until they end", async () => {
  const { clock, logs, count } = scene(4);
  let isRunning = true;
  const read = (): Promise<ReadResult> => {
    count.all++;
    return Promise.resolve("read");
  };
  logs.begin("uid", { reader: { read }, isRunning: () => isRunning });
  for (let second = 0; second < 5; second++) await clock.advance(1_000);
  expect(count.all).toBeGreaterThanOrEqual(4);
  isRunning = false;
  await clock.advance(2_000);
  const before = count.all;
  for (let second = 0; second < 5; second++) await clock.advance(1_000);
  expect(count.all).toBe(before);
});

test("many executors are read less often than wanted", async () => {
  const { clock, logs, count } = scene(100);
  const read = (): Promise<ReadResult> => {
    count.all++;
    return Promise.resolve("read");
  };
  for (let number = 0; number < 200; number++) logs.begin(`uid-${number}`, { reader: { read }, isRunning: () => true });
  for (let second = 0; second < 10; second++) await clock.advance(1_000);
  expect(count.all).toBeGreaterThan(50);
  expect(count.all).toBeLessThanOrEqual(101);
});

test("no more logs are followed at once than are read, and they keep none from being read", async () => {
  const { logs, count, reader } = scene(2);
  const followed = Array.from({ length: 3 }, reader);
  const impatient = new AbortController();
  const following = followed.map((one, index) =>
    logs.follow(index === 2 ? impatient.signal : PATIENT, "broken", () => one.read({ follow: true, signal: PATIENT })),
  );
  expect(logs.mayFollow).toBe(false);
  const ended = reader();
  const reading = logs.readToEnd({ reader: ended, isRunning: () => false }, PATIENT);
  await new Promise((resolve) => setImmediate(resolve));
  expect(count.now).toBe(3);
  ended.end();
  impatient.abort();
  for (const one of followed) one.end();
  expect(await reading).toBe("read");
  expect(await Promise.all(following)).toEqual(["read", "read", "broken"]);
});
