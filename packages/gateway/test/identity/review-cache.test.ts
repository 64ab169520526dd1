import { ManualClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { ReviewCache } from "../../src/identity/review-cache.ts";
import type { TokenHolder } from "../../src/identity/token-reviews.ts";

const HOLDER: TokenHolder = { username: "spark", groups: [], podName: "drv", podUid: "u" };

interface Parts {
  readonly clock: ManualClock;
  readonly cache: ReviewCache;
  /** The questions that reached the API server. */
  readonly asked: string[];
  answer: (token: string) => Promise<TokenHolder | undefined>;
}

function cacheOf(): Parts {
  const clock = new ManualClock();
  const asked: string[] = [];
  const review = (token: string): Promise<TokenHolder | undefined> => {
    asked.push(token);
    return parts.answer(token);
  };
  const cache = new ReviewCache(review, { clock, seconds: 60, most: 3, mostAtOnce: 2 });
  const parts: Parts = { clock, cache, asked, answer: () => Promise.resolve(HOLDER) };
  return parts;
}

test("an answer is believed for its time, a refusal for a short one", async () => {
  const parts = cacheOf();
  parts.answer = (token) => Promise.resolve(token === "good" ? HOLDER : undefined);
  for (const token of ["good", "bad", "good", "bad"]) await parts.cache.ask(token, "u");
  expect(parts.asked).toEqual(["good", "bad"]);
  await parts.clock.advance(6_000);
  expect(await parts.cache.ask("good", "u")).toEqual(HOLDER);
  expect(await parts.cache.ask("bad", "u")).toBeUndefined();
  expect(parts.asked).toEqual(["good", "bad", "bad"]);
  await parts.clock.advance(55_000);
  await parts.cache.ask("good", "u");
  expect(parts.asked).toEqual(["good", "bad", "bad", "good"]);
});

test("so many answers are kept, the newest ones", async () => {
  const parts = cacheOf();
  for (const token of ["1", "2", "3", "4", "4", "1"]) await parts.cache.ask(token, "u");
  expect(parts.asked).toEqual(["1", "2", "3", "4", "1"]);
});

test("so many questions of one pod are under way, and others have theirs", async () => {
  const parts = cacheOf();
  parts.answer = () => new Promise(() => undefined);
  expect(parts.cache.ask("1", "u")).toBeDefined();
  expect(parts.cache.ask("2", "u")).toBeDefined();
  expect(parts.cache.ask("1", "u")).toBeDefined();
  expect(parts.cache.ask("3", "u")).toBeUndefined();
  expect(parts.cache.ask("4", "v")).toBeDefined();
});

test("while the API server is away, whom it knew is served for ten minutes, and nobody else", async () => {
  const parts = cacheOf();
  expect(await parts.cache.ask("good", "u")).toEqual(HOLDER);
  parts.answer = () => Promise.reject(new Error("away"));
  for (let minutes = 2; minutes <= 10; minutes += 2) {
    await parts.clock.advance(120_000);
    expect(await parts.cache.ask("good", "u")).toEqual(HOLDER);
  }
  await expect(parts.cache.ask("new", "u")).rejects.toThrow("away");
  await parts.clock.advance(120_000);
  await expect(parts.cache.ask("good", "u")).rejects.toThrow("away");
  parts.answer = () => Promise.resolve(HOLDER);
  expect(await parts.cache.ask("good", "u")).toEqual(HOLDER);
});
