// Random schedules with a zone and a time to begin from. The same seed gives the same ones.

/** Zones whose clocks change at midnight, by half an hour or two, against the season, for Ramadan; and some without. */
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
/** Where 2011-12-30 is left out, robfig/cron never comes past it. */
const ENDLESS = new Set(["Pacific/Apia", "Pacific/Fakaofo"]);
const OTHER_ZONES = Intl.supportedValuesOf("timeZone").filter((zone) => !ENDLESS.has(zone));

const DAY = 24 * 60 * 60 * 1000;
const FROM = Date.UTC(1995, 0, 1);
const TO = Date.UTC(2060, 0, 1);

/** @returns {{schedule: string, zone: string, after: number}[]} */
export function generatedQuestions(count, seed) {
  const draw = drawing(seed);
  const changes = new Map(ZONES.map((zone) => [zone, offsetChanges(zone)]));
  return Array.from({ length: count }, () => {
    const zone = draw.chance(0.05) ? draw.one(ODD_ZONES) : draw.one(draw.one([ZONES, ZONES, ZONES, OTHER_ZONES]));
    return { schedule: schedule(draw), zone, after: after(draw, changes.get(zone)) };
  });
}

/** Often shortly before or behind a change of the zone's offset, and not on a whole second. */
function after(draw, changes = []) {
  if (changes.length === 0 || draw.chance(0.3)) return FROM + draw.below(TO - FROM);
  return draw.one(changes) + draw.below(4 * DAY) - 3 * DAY + draw.one([0, draw.below(1000)]);
}

function schedule(draw) {
  if (draw.chance(0.01)) return draw.one(ODD_SCHEDULES);
  const prefix = draw.chance(0.1) ? `${draw.one(["TZ=", "CRON_TZ="])}${draw.one([...ZONES, ...ODD_ZONES])} ` : "";
  const text = withoutZone(draw);
  return prefix + (draw.chance(0.2) ? spoilt(draw, text) : text);
}

const ODD_SCHEDULES = [
  ...["", " ", "TZ=UTC", "CRON_TZ=UTC ", "TZ= 0 0 * * *", " TZ=UTC 0 0 * * *", ", * * * *", "* * , * ,", "0 0 30 2 *"],
  ...["*/9223372036854775807 * * * *", "*/9223372036854775808 * * * *", "* * 29 2 1", "0 0 29 feb *", "1,2,,3 0 * * *"],
];

function withoutZone(draw) {
  if (draw.chance(0.08)) return draw.one(DESCRIPTORS);
  if (draw.chance(0.08)) return `@every ${duration(draw)}`;
  const fields = [
    field(draw, { least: 0, most: 59, usual: [0, 0, 1, 15, 30, 59] }),
    field(draw, { least: 0, most: 23, usual: [0, 0, 1, 1, 2, 2, 3, 23] }),
    field(draw, { least: 1, most: 31, usual: [1, 29, 30, 31], rest: 0.6 }),
    field(draw, { least: 1, most: 12, usual: [2, 3, 4, 10, 11], names: MONTHS, rest: 0.7 }),
    field(draw, { least: 0, most: 6, usual: [0, 6], names: DAYS, rest: 0.6 }),
  ];
  return fields.join(draw.chance(0.05) ? draw.one(["  ", "\t"]) : " ");
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

function field(draw, { rest = 0.2, ...bounds }) {
  if (draw.chance(rest)) return draw.one(["*", "*", "*", "?"]);
  return Array.from({ length: draw.one([1, 1, 1, 2, 3]) }, () => range(draw, bounds)).join(",");
}

function range(draw, { least, most, usual, names }) {
  const step = draw.chance(0.25) ? `/${draw.one([1, 2, 3, 5, 7, 10, 15, 40, "007", "+2"])}` : "";
  if (draw.chance(0.15)) return `${draw.one(["*", "?", "*", "*-3"])}${step}`;
  const value = () => (draw.chance(0.6) ? draw.one(usual) : least + draw.below(most - least + 1));
  const written = (number) =>
    names && draw.chance(0.4) ? names[number - least] : draw.one([`${number}`, `0${number}`]);
  const [low, high] = [value(), value()].sort((a, b) => a - b);
  return `${written(low)}${draw.chance(0.3) ? `-${written(high)}` : ""}${step}`;
}

function duration(draw) {
  const part = () =>
    `${draw.below(100)}${draw.chance(0.2) ? `.${draw.below(1e6)}` : ""}${draw.one(["h", "m", "s", "ms", "us", "µs", "ns"])}`;
  return `${draw.one(["", "", "", "-", "+"])}${Array.from({ length: 1 + draw.below(3) }, part).join("")}`;
}

/** With a character taken out, put in or replaced. */
function spoilt(draw, text) {
  const at = draw.below(text.length + 1);
  const put = draw.chance(0.7) ? draw.one([...Array.from("*?/-,+.0123456789 @=LW#hjz"), "2147483648"]) : "";
  return text.slice(0, at) + put + text.slice(at + draw.below(2));
}

/** Every moment at which a zone's offset changes, to the second. */
function offsetChanges(timeZone) {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const offset = (ms) => format.format(ms).split(", ")[1];
  const changes = [];
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

/** A small generator of random numbers (mulberry32), and what is drawn with it. */
function drawing(seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound) => Math.floor(random() * bound);
  return { below, chance: (chance) => random() < chance, one: (values) => values[below(values.length)] };
}
