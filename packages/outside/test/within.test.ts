import { describe, expect, test } from "vitest";
import { ManualClock, within } from "../src/index.ts";

const never = new Promise<string>(() => undefined);
const tooLate = (): never => {
  throw new Error("too late");
};

describe("work that ends in time", () => {
  test("gives its result, and leaves no timer behind", async () => {
    const clock = new ManualClock();
    expect(await within(clock, 1000, Promise.resolve("done"), tooLate)).toBe("done");
    expect(clock.pending).toBe(0);
  });

  test("gives its fault, and leaves no timer behind", async () => {
    const clock = new ManualClock();
    await expect(within(clock, 1000, Promise.reject(new Error("broken")), () => "late")).rejects.toThrow("broken");
    expect(clock.pending).toBe(0);
  });
});

describe("work that does not end in time", () => {
  test("is not waited for any longer", async () => {
    const clock = new ManualClock();
    const waited = within(clock, 1000, never, () => "late");
    await clock.advance(999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(await waited).toBe("late");
  });

  test("may be a fault", async () => {
    const clock = new ManualClock();
    const waited = within(clock, 1000, never, tooLate);
    await Promise.all([expect(waited).rejects.toThrow("too late"), clock.advance(1000)]);
  });

  test("may fail later, and nobody hears of it", async () => {
    const clock = new ManualClock();
    let fail: (error: Error) => void = () => undefined;
    const waited = within(clock, 1000, new Promise<string>((_, reject) => (fail = reject)), () => "late");
    await clock.advance(1000);
    expect(await waited).toBe("late");
    // Vitest reports a rejection that nobody handles.
    fail(new Error("broken"));
    await clock.advance(1);
  });
});

test("a signal that aborts ends the wait", async () => {
  const clock = new ManualClock();
  const stopping = new AbortController();
  const waited = within(clock, 1000, never, () => "late", undefined, stopping.signal);
  stopping.abort();
  expect(await waited).toBe("late");
  expect(clock.pending).toBe(0);
});
