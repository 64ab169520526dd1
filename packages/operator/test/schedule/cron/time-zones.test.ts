import { describe, expect, test } from "vitest";
import { createTimeZones } from "../../../src/schedule/cron/time-zones.ts";

const zones = createTimeZones("Asia/Tokyo");
const MINUTE = 60_000;

describe("offsets", () => {
  test.each([
    ["UTC", "2026-07-01T00:00:00Z", 0],
    ["", "2026-07-01T00:00:00Z", 0],
    ["Local", "2026-07-01T00:00:00Z", 540],
    ["Europe/London", "2026-01-01T00:00:00Z", 0],
    ["Europe/London", "2026-07-01T00:00:00Z", 60],
    ["America/St_Johns", "2026-01-01T00:00:00Z", -210],
    ["Asia/Kathmandu", "2026-07-01T00:00:00Z", 345],
    ["Etc/GMT+5", "2026-07-01T00:00:00Z", -300],
    ["EST5EDT", "2026-07-01T00:00:00Z", -240],
    ["Africa/Monrovia", "1970-01-01T00:00:00Z", -44.5],
  ])("of %s at %s are %d minutes", (name, at, minutes) => {
    expect(zones.find(name)?.offsetAt(Date.parse(at))).toBe(minutes * MINUTE);
  });
});

test.each([
  "Mars/Phobos",
  "Europe",
  "+01:00",
  "-0330",
  "../UTC",
  "/etc/localtime",
  "PST",
  "IST",
  "bst",
  "SystemV/EST5EDT",
  "UTC ",
])("%s is no zone", (name) => {
  expect(zones.find(name)).toBeUndefined();
});

test("a zone is made once, however it is written", () => {
  expect(zones.find("europe/PARIS")).toBe(zones.find("Europe/Paris"));
});

test("an operator whose own zone is unknown lives in UTC", () => {
  expect(createTimeZones("Mars/Phobos").local.name).toBe("UTC");
});
