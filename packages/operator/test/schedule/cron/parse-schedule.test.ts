import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextTime } from "../../../src/schedule/cron/next-time.ts";
import { parseSchedule, type Schedule } from "../../../src/schedule/cron/parse-schedule.ts";
import { ScheduleSyntaxError } from "../../../src/schedule/cron/schedule-syntax-error.ts";
import { createTimeZones } from "../../../src/schedule/cron/time-zones.ts";

const zones = createTimeZones("Europe/London");
const UTC = zones.find("UTC") ?? zones.local;

function parsed(text: string, zone = UTC): Schedule {
  return parseSchedule(text, { zone, zones });
}

function times(text: string, after: string, count = 3): string[] {
  const schedule = parsed(text);
  const found: string[] = [];
  for (let next = nextTime(schedule, Date.parse(after)); next !== undefined; next = nextTime(schedule, next)) {
    if (found.push(new Date(next).toISOString().slice(0, 16)) === count) break;
  }
  return found;
}

describe("two ways to write the same", () => {
  test.each([
    ["@yearly", "0 0 1 1 *"],
    ["@annually", "0 0 1 JAN ?"],
    ["@monthly", "0 0 1 * *"],
    ["@weekly", "0 0 * * sun"],
    ["@daily", "0 0 ? * ?"],
    ["@midnight", "00 00 * * *"],
    ["@hourly", "0 * * * *"],
    [" 0\t0 *  * * ", "0 0 * * *"],
    ["0 0 * * MON-fri", "0 0 * * 1-5"],
    ["50/5 * * * *", "50,55 * * * *"],
    ["10-20/+5,,30 * * * *", "10,15,20,30 * * * *"],
    ["*-7/30 * * * *", "0,30 * * * *"],
    ["*/9223372036854775807 * * * *", "0 * * * *"],
    ["TZ=Asia/Tokyo 0 9 * * *", "0 0 * * *"],
    ["CRON_TZ=Asia/Tokyo @daily", "0 15 * * *"],
    ["TZ= 0 0 * * *", "0 0 * * *"],
    ["TZ=Local 0 0 1 8 *", "0 23 31 7 *"],
  ])("%s and %s", (one, other) => {
    expect(times(one, "2026-01-01T10:20:30Z", 40)).toEqual(times(other, "2026-01-01T10:20:30Z", 40));
  });
});

test("days of the month and of the week are joined by or, unless one of them is a star", () => {
  const after = "2026-02-01T00:00:00Z";
  expect(times("0 0 13 * 5", after, 4).map((time) => time.slice(5, 10))).toEqual(["02-06", "02-13", "02-20", "02-27"]);
  expect(times("0 0 12 * 5", after, 3).map((time) => time.slice(5, 10))).toEqual(["02-06", "02-12", "02-13"]);
  expect(times("0 0 13 * */1", after, 1)).toEqual(["2026-02-13T00:00"]);
  // A star with steps does not count as a star.
  expect(times("0 0 */2 * 5", after, 3).map((time) => time.slice(5, 10))).toEqual(["02-03", "02-05", "02-06"]);
});

describe("what is refused, with robfig/cron's words", () => {
  test.each([
    ["", "expected exactly 5 fields, found 0: []"],
    ["0 0 * *", "expected exactly 5 fields, found 4: [0 0 * *]"],
    ["0 0 0 * * *", "expected exactly 5 fields, found 6: [0 0 0 * * *]"],
    [" TZ=UTC 0 0 * * *", "expected exactly 5 fields, found 6: [TZ=UTC 0 0 * * *]"],
    ["60 * * * *", "end of range (60) above maximum (59): 60 (minute)"],
    ["* 24/2 * * *", "beginning of range (24) beyond end of range (23): 24/2 (hour)"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0 (day of month)"],
    ["* * * 12-1 *", "beginning of range (12) beyond end of range (1): 12-1 (month)"],
    ["* * * * 7", "end of range (7) above maximum (6): 7 (day of week)"],
    ["*/0 * * * *", "step of range should be a positive number: */0 (minute)"],
    ["*/-1 * * * *", "negative number (-1) not allowed: -1 (minute)"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3 (minute)"],
    ["1/2/3 * * * *", "too many slashes: 1/2/3 (minute)"],
    ["* * L * *", 'failed to parse int from L: strconv.Atoi: parsing "L": invalid syntax (day of month)'],
    ["* * * * 1#2", 'failed to parse int from 1#2: strconv.Atoi: parsing "1#2": invalid syntax (day of week)'],
    ["-5 * * * *", 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax (minute)'],
    [
      "*/9223372036854775808 * * * *",
      'failed to parse int from 9223372036854775808: strconv.Atoi: parsing "9223372036854775808": value out of range (minute)',
    ],
    ["@Daily", "unrecognized descriptor: @Daily"],
    ["@reboot", "unrecognized descriptor: @reboot"],
    ["@every", "unrecognized descriptor: @every"],
    ["@every 5", 'failed to parse duration @every 5: time: missing unit in duration "5"'],
    ["@every 1d", 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
    ["@every  1h", 'failed to parse duration @every  1h: time: invalid duration " 1h"'],
    ["@every .h", 'failed to parse duration @every .h: time: invalid duration ".h"'],
    ["@every -", 'failed to parse duration @every -: time: invalid duration "-"'],
    ["@every 2562048h", 'failed to parse duration @every 2562048h: time: invalid duration "2562048h"'],
    ["TZ=Mars/Phobos @daily", "provided bad location Mars/Phobos: unknown time zone Mars/Phobos"],
    ["TZ=UTC", "there is no schedule after the time zone: TZ=UTC"],
  ])("%s", (text, message) => {
    expect(() => parsed(text)).toThrow(message);
  });
});

describe("@every", () => {
  test.each([
    ["1h30m", 5_400],
    ["1.5h", 5_400],
    ["+.5m", 30],
    ["1m0.999s", 60],
    ["90s500ms", 90],
    ["999999µs", 1],
    ["3000000μs1us1ns", 3],
    ["0", 1],
    ["-1h", 1],
    ["2562047h47m16.854775807s", 9_223_372_036],
    [`0.${"0".repeat(400)}1h5s`, 5],
  ])("%s is %d seconds", (duration, seconds) => {
    expect(parsed(`@every ${duration}`)).toEqual({ kind: "delay", delayMs: seconds * 1000 });
  });

  test("is the sum of its parts", () => {
    const part = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(part, part, fc.integer({ min: 1, max: 10_000 }), (hours, minutes, seconds) => {
        const delayMs = ((hours * 60 + minutes) * 60 + seconds) * 1000;
        expect(parsed(`@every ${hours}h${minutes}m${seconds}s`)).toEqual({ kind: "delay", delayMs });
      }),
    );
  });

  test("counts from the time it is asked for, in whole seconds", () => {
    expect(nextTime(parsed("@every 10s"), 1_234_567)).toBe(1_244_000);
  });
});

/** The fault of a schedule; undefined if its next time can be computed. */
function refusal(text: string): unknown {
  try {
    nextTime(parsed(text), Date.UTC(2026, 0, 1));
    return undefined;
  } catch (error) {
    return error;
  }
}

test("any text is read or refused in words", () => {
  const piece = fc.constantFrom(...Array.from("*?/-,.0159@ LW#"), "TZ=", "UTC ", "jan", "@every ", "1h", "0 0 * * ");
  const texts = fc.oneof(
    fc.string(),
    fc.array(piece).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const error = refusal(text);
      expect(error ?? new ScheduleSyntaxError("")).toBeInstanceOf(ScheduleSyntaxError);
    }),
  );
});

test.each(["9", "0", "1-", "/", "1,", "0s", " ", "1."])("a long text of %j is refused as any other", (piece) => {
  const text = piece.repeat(50_000);
  for (const schedule of [text, `@every ${text}x`, `${text}x * * * *`])
    expect(refusal(schedule)).toBeInstanceOf(ScheduleSyntaxError);
});
