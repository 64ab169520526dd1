import { ManualClock } from "@kindling/outside";
import { expect, test } from "vitest";
import type { AwsKeys, LentKeys } from "../../src/credentials/aws-keys.ts";
import { refreshing } from "../../src/credentials/refreshing.ts";

interface Lender {
  readonly clock: ManualClock;
  readonly lend: () => Promise<LentKeys>;
  /** How often keys were requested. */
  readonly count: () => number;
  failing: boolean;
}

/** Gives numbered keys that are valid for this many seconds. */
function lender(seconds: number | undefined): Lender {
  let count = 0;
  const result: Lender = {
    clock: new ManualClock(),
    count: () => count,
    failing: false,
    lend() {
      count++;
      if (result.failing) return Promise.reject(new Error("gone"));
      const keys = { accessKeyId: String(count), secretAccessKey: "s", sessionToken: undefined };
      return Promise.resolve({ keys, seconds });
    },
  };
  return result;
}

test("many who ask at once ask once", async () => {
  const { clock, lend, count } = lender(3600);
  const credentials = refreshing(lend, clock);
  const given = await Promise.all(Array.from({ length: 10 }, () => credentials()));
  expect(new Set(given.map(({ accessKeyId }) => accessKeyId))).toEqual(new Set(["1"]));
  expect(count()).toBe(1);
});

test.each<[number | undefined, number]>([
  [undefined, Infinity],
  [3600, 3300],
  [900, 600],
  // Short-lived keys: after half of their time.
  [120, 60],
])("keys of %s seconds are renewed after %s", async (seconds, fresh) => {
  const { clock, lend, count } = lender(seconds);
  const credentials = refreshing(lend, clock);
  await credentials();
  await clock.advance(Math.min(fresh, 1e9) * 1000 - 1);
  await credentials();
  expect(count()).toBe(1);
  if (fresh === Infinity) return;
  await clock.advance(1);
  expect((await credentials()).accessKeyId).toBe("2");
});

test("a renewal that fails does no harm while the last keys hold, and is tried again", async () => {
  const given = lender(900);
  const credentials = refreshing(given.lend, given.clock);
  await credentials();
  given.failing = true;
  await given.clock.advance(600_000);
  expect((await credentials()).accessKeyId).toBe("1");
  expect((await credentials()).accessKeyId).toBe("1");
  expect(given.count()).toBe(2);
  await given.clock.advance(30_000);
  expect((await credentials()).accessKeyId).toBe("1");
  expect(given.count()).toBe(3);
  await given.clock.advance(270_000);
  await expect(credentials()).rejects.toThrow("gone");
  given.failing = false;
  expect((await credentials()).accessKeyId).toBe("5");
});

test("who gives up does not end it for the others", async () => {
  let answer: (lent: LentKeys) => void = () => undefined;
  const credentials = refreshing<AwsKeys>(() => new Promise((resolve) => (answer = resolve)), new ManualClock());
  const cancel = new AbortController();
  const [impatient, patient] = [credentials(cancel.signal), credentials()];
  cancel.abort();
  await expect(impatient).rejects.toMatchObject({ fault: "cancelled" });
  const keys = { accessKeyId: "1", secretAccessKey: "s", sessionToken: undefined };
  answer({ keys, seconds: 60 });
  expect(await patient).toBe(keys);
});
