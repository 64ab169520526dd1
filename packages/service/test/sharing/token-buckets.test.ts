import { ManualClock } from "@kindling/outside";
import { expect, it } from "vitest";
import { tokenBuckets } from "../../src/sharing/token-buckets.ts";

it("lets a client do so much at once, and then as much as comes back", async () => {
  const clock = new ManualClock();
  const buckets = tokenBuckets({ clock, perSecond: 2, burstSeconds: 5, clientsInAll: 3 });
  const takeAll = (client: string): number => {
    let taken = 0;
    while (buckets.take(client)) taken++;
    return taken;
  };
  expect(takeAll("a")).toBe(10);
  await clock.advance(3000);
  expect(takeAll("a")).toBe(6);
  expect(takeAll("b")).toBe(10);
  // All together have thirty at once; sixteen of these have just been taken.
  expect(takeAll("c") + takeAll("d")).toBe(14);
  await clock.advance(60_000);
  expect([takeAll("a"), takeAll("b"), takeAll("c"), takeAll("d")]).toEqual([10, 10, 10, 0]);
});

it("remembers a limited number of clients", () => {
  const buckets = tokenBuckets({ clock: new ManualClock(), perSecond: 1, burstSeconds: 1, clientsInAll: 1_000_000 });
  for (let index = 0; index < 20_000; index++) expect(buckets.take(`client ${index}`)).toBe(true);
  expect(buckets.take("client 19999")).toBe(false);
  expect(buckets.take("client 0")).toBe(true);
});
