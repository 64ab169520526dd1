import { ManualClock } from "@kindling/outside";
import { expect, it } from "vitest";
import { retrying, StagingError, type RetryPolicy } from "../../src/index.ts";

const POLICY: RetryPolicy = { attempts: 4, baseMs: 100, capMs: 1000, overloadedMs: 10_000 };
const passing = (): StagingError => new StagingError("server", "away", { retryable: true });

async function run(
  operation: (attempt: number, progress: () => void) => Promise<string>,
  options: { random?: number; signal?: AbortSignal } = {},
) {
  const clock = new ManualClock();
  const waits: number[] = [];
  let attempts = 0;
  const ended: { value?: string; error?: unknown }[] = [];
  const context = {
    clock,
    random: () => options.random ?? 1,
    policy: POLICY,
    signal: options.signal,
    onRetry: (_: unknown, wait: number) => waits.push(wait),
  };
  const done = retrying(context, (progress) => operation(++attempts, progress)).then(
    (value) => void ended.push({ value }),
    (error: unknown) => void ended.push({ error }),
  );
  while (ended.length === 0) await clock.advance(50);
  await done;
  return { attempts, waits, outcome: ended[0] ?? {}, elapsed: clock.monotonic() };
}

it("waits longer after each failure, and gives up in the end", async () => {
  const { attempts, waits, outcome } = await run(() => Promise.reject(passing()));
  expect([attempts, waits]).toEqual([4, [100, 200, 400]]);
  expect(outcome.error).toMatchObject({ fault: "server" });
});

it("waits at random, so that clients do not come back together", async () => {
  const { waits } = await run(() => Promise.reject(passing()), { random: 0.25 });
  expect(waits).toEqual([25, 50, 100]);
});

it("does not repeat what stays wrong", async () => {
  const { attempts, outcome } = await run(() => Promise.reject(new StagingError("unauthorized", "no")));
  expect([attempts, outcome.error]).toEqual([1, expect.objectContaining({ fault: "unauthorized" })]);
  const other = await run(() => Promise.reject(new Error("a fault of this program")));
  expect(other.attempts).toBe(1);
});

it("begins to count anew whenever something was achieved", async () => {
  const { attempts, outcome } = await run((attempt, progress) => {
    if (attempt % 3 === 0) progress();
    return attempt === 30 ? Promise.resolve("done") : Promise.reject(passing());
  });
  expect([attempts, outcome.value]).toEqual([30, "done"]);
});

it("waits for an overloaded server for as long as that asks, beyond the usual number of attempts", async () => {
  const { attempts, waits } = await run((attempt) =>
    attempt === 8
      ? Promise.resolve("done")
      : Promise.reject(new StagingError("overloaded", "full", { retryable: true, retryAfterMs: 500 })),
  );
  expect(attempts).toBe(8);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
});

it("does not wait for an overloaded server for ever", async () => {
  const { elapsed, outcome } = await run(() =>
    Promise.reject(new StagingError("overloaded", "full", { retryable: true, retryAfterMs: 1000 })),
  );
  expect(outcome.error).toMatchObject({ fault: "overloaded" });
  expect(elapsed).toBeLessThan(30_000);
});

it("stops at once when it is told to", async () => {
  const abort = new AbortController();
  const { attempts, outcome } = await run(
    () => {
      abort.abort();
      return Promise.reject(passing());
    },
    { signal: abort.signal },
  );
  expect([attempts, outcome.error]).toEqual([1, expect.objectContaining({ fault: "cancelled" })]);
});
