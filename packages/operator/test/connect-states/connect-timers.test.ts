import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  connectTimers,
  IDLE_TIMEOUT_ANNOTATION,
  readDuration,
  TTL_ANNOTATION,
} from "../../src/connect-states/connect-timers.ts";

const HOUR = 3_600_000;

describe("durations", () => {
  test.each<[string, number]>([
    ["45m", 0.75 * HOUR],
    ["1h30m", 1.5 * HOUR],
    ["1.5h", 1.5 * HOUR],
    ["90min", 1.5 * HOUR],
    ["7d", 168 * HOUR],
    ["3600", HOUR],
    [" 1h ", HOUR],
    ["250ms", 250],
  ])("'%s' is read as Go or as Spark reads it", (text, wanted) => {
    expect(readDuration(text)).toBe(wanted);
  });

  test.each(["", "soon", "0", "0s", "-5m", "1w", "1h30", "5 m", "1d12h", "NaN", "Infinity"])("'%s' is none", (text) => {
    expect(readDuration(text)).toBeUndefined();
  });

  test("hours, minutes and seconds are read back", () => {
    const part = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(part, part, fc.integer({ min: 1, max: 10_000 }), (hours, minutes, seconds) => {
        expect(readDuration(`${hours}h${minutes}m${seconds}s`)).toBe(((hours * 60 + minutes) * 60 + seconds) * 1000);
      }),
    );
  });

  test("whatever the text is, the result is a time above 0, or none", () => {
    const anyText = fc.oneof(fc.string(), fc.stringMatching(/^[-+0-9.hmsd ]{0,12}$/));
    fc.assert(
      fc.property(anyText, (text) => {
        const read = readDuration(text);
        expect(read === undefined || read > 0).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("a value that has no effect is named, and only that one", () => {
  const timers = connectTimers({ [IDLE_TIMEOUT_ANNOTATION]: "30m", [TTL_ANNOTATION]: "to\nmorrow", other: "x" });
  expect(timers).toEqual({
    idleTimeoutMs: HOUR / 2,
    ttlMs: undefined,
    notices: [
      'annotation operator.kindling/ttl: "to\\u{a}morrow" has no effect: write a time above 0, such as 45m, 1h30m or 7d',
    ],
  });
  expect(connectTimers({})).toEqual({ idleTimeoutMs: undefined, ttlMs: undefined, notices: [] });
});
