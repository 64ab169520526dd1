// Random schedules with a zone and a start time. The same seed gives the same schedules.
import { Random } from "@kindling/test-kit/random";

/**
 * Zones where the clocks change at midnight, by half an hour or by two hours, in the opposite direction to the season, or for
 * Ramadan; and some zones where they do not change.
 */
const ZONES = [
  "Africa/Cairo",
  "Africa/Casablanca",
  "America/Asuncion",
  "America/Havana",
  "America/New_York",
  "America/Nuuk",
  "America/Santiago",
  "America/Sao_Paulo",
  "America/Scoresbysund",
  "America/St_Johns",
  "Antarctica/Troll",
  "Asia/Amman",
  "Asia/Beirut",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Asia/Tehran",
  "Atlantic/Azores",
  "Australia/Lord_Howe",
  "Europe/Dublin",
  "Europe/London",
  "Europe/Moscow",
  "Pacific/Chatham",
  "UTC",
];
const ODD_ZONES = [
  "",
  "Local",
  "Mars/Phobos",
  "PST",
  "IST",
  "EST5EDT",
  "Etc/GMT+5",
  "+01:00",
  "Europe",
  "../UTC",
  "GB",
];
/** In these zones 2011-12-30 is missing, and robfig/cron never gets past it. */
const ENDLESS = new Set(["Pacific/Apia", "Pacific/Fakaofo"]);
const OTHER_ZONES = Intl.supportedValuesOf("timeZone").filter((zone) => !ENDLESS.has(zone));

const DAY = 24 * 60 * 60 * 1000;
const FROM = Date.UTC(1995, 0, 1);
const TO = Date.UTC(2060, 0, 1);

/** Asks for the next time after a given time. */
export interface ScheduleQuestion {
  readonly schedule: string;
  /** Empty for the local zone. */
  readonly zone: string;
  /** Milliseconds since the epoch. */
  readonly after: number;
}

export function generatedQuestions(count: number, seed: number): ScheduleQuestion[] {
  const draw = new Random(seed);
  const changes = new Map(ZONES.map((zone) => [zone, offsetChanges(zone)]));
  return Array.from({ length: count }, () => {
    const zone = draw.chance(0.05) ? draw.pick(ODD_ZONES) : draw.pick(draw.pick([ZONES, ZONES, ZONES, OTHER_ZONES]));
    return { schedule: schedule(draw), zone, after: after(draw, changes.get(zone)) };
  });
}

/** Often shortly before or after a change of the zone's offset, and not on a whole second. */
function after(draw: Random, changes: readonly number[] = []): number {
  if (changes.length === 0 || draw.chance(0.3)) return FROM + draw.below(TO - FROM);
  return draw.pick(changes) + draw.below(4 * DAY) - 3 * DAY + draw.pick([0, draw.below(1000)]);
}

function schedule(draw: Random): string {
  if (draw.chance(0.01)) return draw.pick(ODD_SCHEDULES);
  const prefix = draw.chance(0.1) ? `${draw.pick(["TZ=", "CRON_TZ="])}${draw.pick([...ZONES, ...ODD_ZONES])} ` : "";
  const text = withoutZone(draw);
  return prefix + (draw.chance(0.2) ? spoilt(draw, text) : text);
}

const ODD_SCHEDULES = [
  ...["", " ", "TZ=UTC", "CRON_TZ=UTC ", "TZ= 0 0 * * *", " TZ=UTC 0 0 * * *", ", * * * *", "* * , * ,", "0 0 30 2 *"],
  ...["*/9223372036854775807 * * * *", "*/9223372036854775808 * * * *", "* * 29 2 1", "0 0 29 feb *", "1,2,,3 0 * * *"],
];

function withoutZone(draw: Random): string {
  if (draw.chance(0.08)) return draw.pick(DESCRIPTORS);
  if (draw.chance(0.08)) return `@every ${duration(draw)}`;
  const fields = [
    field(draw, { least: 0, most: 59, usual: [0, 0, 1, 15, 30, 59] }),
    field(draw, { least: 0, most: 23, usual: [0, 0, 1, 1, 2, 2, 3, 23] }),
    field(draw, { least: 1, most: 31, usual: [1, 29, 30, 31], rest: 0.6 }),
    field(draw, { least: 1, most: 12, usual: [2, 3, 4, 10, 11], names: MONTHS, rest: 0.7 }),
    field(draw, { least: 0, most: 6, usual: [0, 6], names: DAYS, rest: 0.6 }),
  ];
  return fields.join(draw.chance(0.05) ? draw.pick(["  ", "\t"]) : " ");
}

const DESCRIPTORS = [
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
  "@Daily",
  "@reboot",
];
const MONTHS = ["jan", "FEB", "Mar", "apr", "may", "jun", "jul", "aug", "sep", "OCT", "nov", "dec"];
const DAYS = ["sun", "MON", "Tue", "wed", "thu", "fri", "Sat"];

/** What the values of a field of a schedule may be. */
interface FieldBounds {
  readonly least: number;
  readonly most: number;
  readonly usual: readonly number[];
  readonly names?: readonly string[];
}

function field(draw: Random, { rest = 0.2, ...bounds }: FieldBounds & { readonly rest?: number }): string {
  if (draw.chance(rest)) return draw.pick(["*", "*", "*", "?"]);
  return Array.from({ length: draw.pick([1, 1, 1, 2, 3]) }, () => range(draw, bounds)).join(",");
}

function range(draw: Random, { least, most, usual, names }: FieldBounds): string {
  const step = draw.chance(0.25) ? `/${draw.pick([1, 2, 3, 5, 7, 10, 15, 40, "007", "+2"])}` : "";
  if (draw.chance(0.15)) return `${draw.pick(["*", "?", "*", "*-3"])}${step}`;
  const value = () => (draw.chance(0.6) ? draw.pick(usual) : least + draw.below(most - least + 1));
  const written = (number: number) =>
    names && draw.chance(0.4) ? names[number - least] : draw.pick([`${number}`, `0${number}`]);
  const [one, other] = [value(), value()];
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  return `${written(low)}${draw.chance(0.3) ? `-${written(high)}` : ""}${step}`;
}

function duration(draw: Random): string {
  const part = () =>
    `${draw.below(100)}${draw.chance(0.2) ? `.${draw.below(1e6)}` : ""}${draw.pick(["h", "m", "s", "ms", "us", "µs", "ns"])}`;
  return `${draw.pick(["", "", "", "-", "+"])}${Array.from({ length: 1 + draw.below(3) }, part).join("")}`;
}

/** The text with one character removed, added or replaced. */
function spoilt(draw: Random, text: string): string {
  const at = draw.below(text.length + 1);
  const put = draw.chance(0.7) ? draw.pick([...Array.from("*?/-,+.0123456789 @=LW#hjz"), "2147483648"]) : "";
  return text.slice(0, at) + put + text.slice(at + draw.below(2));
}

/** Every moment when a zone's offset changes, to the second. */
function offsetChanges(timeZone: string): number[] {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const offset = (ms: number) => format.format(ms).split(", ")[1];
  const changes: number[] = [];
  for (let day = FROM; day < TO; day += DAY) {
    if (offset(day) === offset(day + DAY)) continue;
    let [before, behind] = [day, day + DAY];
    while (behind - before > 1000) {
      const middle = before + Math.floor((behind - before) / 2000) * 1000;
      if (offset(middle) === offset(day)) before = middle;
      else behind = middle;
    }
    changes.push(behind);
  }
  return changes;
}
