import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextTime } from "../../../src/schedule/cron/next-time.ts";
import { parseSchedule } from "../../../src/schedule/cron/parse-schedule.ts";
import { createTimeZones } from "../../../src/schedule/cron/time-zones.ts";

const zones = createTimeZones("UTC");

function times(text: string, zoneName: string, after: string): string[] {
  const schedule = parseSchedule(text, { zone: zones.find(zoneName) ?? zones.local, zones });
  const found: string[] = [];
  for (let next = nextTime(schedule, Date.parse(after)); next !== undefined; next = nextTime(schedule, next)) {
    if (found.push(`${new Date(next).toISOString().slice(0, 16)}Z`) === 3) break;
  }
  return found;
}

// All of these are results of robfig/cron 3.0.1 with the time zone database 2025c.
describe("where clocks change", () => {
  test.each([
    {
      what: "a time that is left out has no run that day",
      schedule: ["30 2 * * *", "America/New_York", "2027-03-13T12:00:00Z"],
      want: ["2027-03-15T06:30Z", "2027-03-16T06:30Z", "2027-03-17T06:30Z"],
    },
    {
      what: "a time that comes twice has two runs",
      schedule: ["30 1 * * *", "America/New_York", "2027-11-06T12:00:00Z"],
      want: ["2027-11-07T05:30Z", "2027-11-07T06:30Z", "2027-11-08T06:30Z"],
    },
    {
      what: "a midnight that is left out has none either",
      schedule: ["0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z"],
      want: ["2018-11-05T02:00Z", "2018-11-06T02:00Z", "2018-11-07T02:00Z"],
    },
    {
      what: "east of Greenwich, a date that begins with a gap is missed",
      schedule: ["0 12 28 3 *", "Asia/Beirut", "2027-01-01T00:00:00Z"],
      want: ["2028-03-28T09:00Z", "2029-03-28T09:00Z", "2030-03-28T10:00Z"],
    },
    {
      what: "west of it, one before is hit a day late",
      schedule: ["0 5 3 11 *", "America/Sao_Paulo", "2018-11-03T12:00:00Z"],
      want: ["2018-11-04T07:00Z", "2019-11-03T08:00Z", "2020-11-03T08:00Z"],
    },
    {
      what: "half an hour is left out",
      schedule: ["15 2 * * *", "Australia/Lord_Howe", "2026-10-02T12:00:00Z"],
      want: ["2026-10-02T15:45Z", "2026-10-04T15:15Z", "2026-10-05T15:15Z"],
    },
    {
      what: "half an hour comes twice",
      schedule: ["45 1 * * *", "Australia/Lord_Howe", "2027-04-03T00:00:00Z"],
      want: ["2027-04-03T14:45Z", "2027-04-03T15:15Z", "2027-04-04T15:15Z"],
    },
    {
      what: "for Ramadan",
      schedule: ["0 4 * * *", "Africa/Casablanca", "2026-02-13T12:00:00Z"],
      want: ["2026-02-14T03:00Z", "2026-02-15T04:00Z", "2026-02-16T04:00Z"],
    },
    {
      what: "nowhere, with an offset of a quarter",
      schedule: ["0 6 * * mon-fri", "Asia/Kathmandu", "2026-02-06T12:00:00Z"],
      want: ["2026-02-09T00:15Z", "2026-02-10T00:15Z", "2026-02-11T00:15Z"],
    },
  ])("$what", ({ schedule: [text = "", zone = "", after = ""], want }) => {
    expect(times(text, zone, after)).toEqual(want);
  });
});

test("a day that a zone leaves out is passed over", () => {
  expect(times("0 8 31 12 *", "Pacific/Apia", "2011-12-29T00:00:00Z")[0]).toBe("2011-12-30T18:00Z");
  expect(times("0 8 30 12 *", "Pacific/Apia", "2011-12-29T00:00:00Z")[0]).toBe("2012-12-29T18:00Z");
});

test("there is none beyond the fifth year", () => {
  expect(times("0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z")).toEqual([]);
  expect(times("0 0 29 2 *", "UTC", "2098-12-31T23:59:58Z")).toEqual([]);
  expect(times("0 0 29 2 *", "UTC", "2099-01-01T00:00:00Z")[0]).toBe("2104-02-29T00:00Z");
  expect(times("0 0 30 2 *", "UTC", "2026-01-01T00:00:00Z")).toEqual([]);
  expect(times(", * * * *", "UTC", "2026-01-01T00:00:00Z")).toEqual([]);
});

const ZONES = ["UTC", "Europe/London", "America/Sao_Paulo", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Beirut"];
const MOMENT = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) });

function list(least: number, most: number): fc.Arbitrary<string> {
  const values = fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 4 });
  return fc.oneof(fc.constant("*"), values.map(String));
}
const SCHEDULE = fc
  .tuple(list(0, 59), list(0, 23), list(1, 31), list(1, 12), list(0, 6))
  .map((fields) => fields.join(" "));

test("it is later than asked for, and a whole minute", () => {
  fc.assert(
    fc.property(SCHEDULE, fc.constantFrom(...ZONES), MOMENT, (text, zone, after) => {
      const next = nextTime(parseSchedule(text, { zone: zones.find(zone) ?? zones.local, zones }), after);
      fc.pre(next !== undefined);
      expect(next).toBeGreaterThan(after);
      expect(next % 60_000).toBe(0);
    }),
  );
});

test("in UTC it is the first minute whose fields all fit", () => {
  const narrow = fc.tuple(list(0, 59), list(0, 23), list(1, 31), list(0, 6));
  fc.assert(
    fc.property(narrow, MOMENT, ([minute, hour, day, weekday], after) => {
      const schedule = parseSchedule(`${minute} ${hour} ${day} * ${weekday}`, { zone: zones.local, zones });
      expect(nextTime(schedule, after)).toBe(firstFitting([minute, hour, day, weekday], after));
    }),
    { numRuns: 30 },
  );
});

function firstFitting([minute, hour, day, weekday]: readonly [string, string, string, string], after: number): number {
  const fits = (field: string, value: number): boolean => field === "*" || field.split(",").includes(String(value));
  for (let ms = Math.floor(after / 60_000) * 60_000 + 60_000; ; ms += 60_000) {
    const date = new Date(ms);
    const [isOfMonth, isOfWeek] = [fits(day, date.getUTCDate()), fits(weekday, date.getUTCDay())];
    const isDay = day === "*" || weekday === "*" ? isOfMonth && isOfWeek : isOfMonth || isOfWeek;
    if (isDay && fits(hour, date.getUTCHours()) && fits(minute, date.getUTCMinutes())) return ms;
  }
}
