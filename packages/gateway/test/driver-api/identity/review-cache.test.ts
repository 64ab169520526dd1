import { ManualClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { type TokenAsker, ReviewCache } from "../../../src/driver-api/identity/review-cache.ts";
import type { TokenHolder } from "../../../src/driver-api/identity/token-reviews.ts";

const HOLDER: TokenHolder = { username: "spark", groups: [], podName: "drv", podUid: "u" };

interface Parts {
  readonly clock: ManualClock;
  /** Asks for the pod `u`, for whose token there is other evidence, unless the facts say otherwise. */
  readonly ask: (token: string, facts?: Partial<TokenAsker>) => Promise<TokenHolder | undefined>;
  /** The questions that reached the API server. */
  readonly asked: string[];
  answer: (token: string) => Promise<TokenHolder | undefined>;
}

const STRANGER = { isLikely: () => Promise.resolve(false) };

function cacheOf(): Parts {
  const clock = new ManualClock();
  const asked: string[] = [];
  const review = (token: string): Promise<TokenHolder | undefined> => {
    asked.push(token);
    return parts.answer(token);
  };
  const cache = new ReviewCache(review, {
    clock,
    random: { fraction: () => 0 },
    seconds: 60,
    most: 3,
    mostOfPod: 2,
    strangersAtOnce: 8,
    failuresPerSecond: 5,
  });
  const parts: Parts = {
    clock,
    asked,
    ask: (token, facts = {}) =>
      cache.ask(token, { podUid: "u", address: "a", isLikely: () => Promise.resolve(true), ...facts }),
    answer: () => Promise.resolve(HOLDER),
  };
  return parts;
}

/** Lets everything that is ready continue. */
async function settle({ clock }: Parts): Promise<void> {
  await clock.advance(0);
}

const never = (): Promise<never> => new Promise(() => undefined);

test("an answer is believed for its time, a refusal for a short one", async () => {
  const parts = cacheOf();
  parts.answer = (token) => Promise.resolve(token === "good" ? HOLDER : undefined);
  for (const token of ["good", "bad", "good", "bad"]) await parts.ask(token);
  expect(parts.asked).toEqual(["good", "bad"]);
  await parts.clock.advance(6_000);
  expect(await parts.ask("good")).toEqual(HOLDER);
  expect(await parts.ask("bad")).toBeUndefined();
  expect(parts.asked).toEqual(["good", "bad", "bad"]);
  await parts.clock.advance(55_000);
  await parts.ask("good");
  expect(parts.asked).toEqual(["good", "bad", "bad", "good"]);
});

test("so many tokens of a pod are known, the newest ones", async () => {
  const parts = cacheOf();
  for (const token of ["1", "2", "3", "3", "2", "1"]) await parts.ask(token);
  expect(parts.asked).toEqual(["1", "2", "3", "1"]);
});

test("wrong tokens push no answer about a good one out, whatever pod they name", async () => {
  const parts = cacheOf();
  expect(await parts.ask("good")).toEqual(HOLDER);
  parts.answer = () => Promise.resolve(undefined);
  for (let count = 0; count < 30; count += 1) await parts.ask(`bad ${count}`, STRANGER);
  parts.asked.length = 0;
  expect(await parts.ask("good")).toEqual(HOLDER);
  expect(parts.asked).toEqual([]);
});

test("a token that the API server says is another pod's takes no place of the pod that it names", async () => {
  const parts = cacheOf();
  expect(await parts.ask("good")).toEqual(HOLDER);
  parts.answer = () => Promise.resolve({ ...HOLDER, podUid: "v" });
  for (const token of ["1", "2", "3", "4"]) expect(await parts.ask(token)).toMatchObject({ podUid: "v" });
  parts.asked.length = 0;
  expect(await parts.ask("good")).toEqual(HOLDER);
  expect(parts.asked).toEqual([]);
});

test("tokens that nothing speaks for take no place of the pod that they name", async () => {
  const parts = cacheOf();
  parts.answer = (token) => (token === "good" ? Promise.resolve(HOLDER) : never());
  for (let count = 0; count < 30; count += 1) void parts.ask(`forged ${count}`, STRANGER).catch(() => undefined);
  await settle(parts);
  expect(await parts.ask("good")).toEqual(HOLDER);
  // One address gets half of the eight places.
  expect(parts.asked).toHaveLength(5);
  expect(await parts.ask("good", { ...STRANGER, address: "b" })).toEqual(HOLDER);
});

test("those who ask the same at the same time share one question, and one of a failure is not kept", async () => {
  const parts = cacheOf();
  await Promise.all(["1", "1", "1"].map((token) => parts.ask(token)));
  expect(parts.asked).toEqual(["1"]);
  parts.answer = () => Promise.reject(new Error("away"));
  await expect(parts.ask("2")).rejects.toThrow("away");
  parts.answer = () => Promise.resolve(HOLDER);
  expect(await parts.ask("2")).toEqual(HOLDER);
});

test("what has been refused too often waits for its turn, and is refused when that does not come", async () => {
  const parts = cacheOf();
  parts.answer = () => Promise.resolve(undefined);
  for (let count = 0; count < 50; count += 1) await parts.ask(`bad ${count}`, STRANGER);
  parts.answer = () => Promise.resolve(HOLDER);
  const waiting = parts.ask("good", STRANGER);
  await settle(parts);
  expect(parts.asked).not.toContain("good");
  await parts.clock.advance(1_000);
  expect(await waiting).toEqual(HOLDER);
});

test("while the API server is away, whom it knew is served for ten minutes, and nobody else", async () => {
  const parts = cacheOf();
  expect(await parts.ask("good")).toEqual(HOLDER);
  parts.answer = () => Promise.reject(new Error("away"));
  for (let minutes = 2; minutes <= 10; minutes += 2) {
    await parts.clock.advance(120_000);
    expect(await parts.ask("good")).toEqual(HOLDER);
  }
  await expect(parts.ask("new")).rejects.toThrow("away");
  await parts.clock.advance(120_000);
  await expect(parts.ask("good")).rejects.toThrow("away");
  parts.answer = () => Promise.resolve(HOLDER);
  expect(await parts.ask("good")).toEqual(HOLDER);
});
