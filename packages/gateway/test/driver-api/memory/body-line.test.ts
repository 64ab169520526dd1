import { ManualClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { BodyLine } from "../../../src/driver-api/memory/body-line.ts";

const TOTAL = 1000;

test("one driver alone gets a part, and those who come later get some as well", async () => {
  const line = new BodyLine(TOTAL, new ManualClock());
  for (const [driver, bytes] of [
    ["a", 200],
    ["b", 200],
    ["c", 150],
    ["d", 100],
  ] as const) {
    await expect(line.take(driver, bytes)).resolves.toBeTypeOf("function");
  }
});

test("drivers have their turns one after the other, however many requests one has", async () => {
  const line = new BodyLine(TOTAL, new ManualClock());
  const release = await line.take("a", 200);
  const done: string[] = [];
  const wait = (driver: string, bytes: number): void =>
    void line.take(driver, bytes).then((give) => {
      done.push(driver);
      give();
    });
  for (let index = 0; index < 10; index += 1) wait("a", 200);
  wait("b", 240);
  await Promise.resolve();
  expect(done).toEqual([]);
  release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toHaveLength(11);
  expect(done.indexOf("b")).toBeLessThan(3);
});

test("nobody waits for ever, and a line has an end", async () => {
  const clock = new ManualClock();
  const line = new BodyLine(TOTAL, clock);
  await line.take("a", 250);
  const waiting = Array.from({ length: 64 }, () => line.take("a", 250));
  const answers = Promise.allSettled(waiting);
  await expect(line.take("a", 250)).rejects.toMatchObject({ status: { code: 429 } });
  await clock.advance(10_000);
  for (const answer of await answers)
    expect(answer).toMatchObject({ status: "rejected", reason: { status: { code: 429 } } });
});
