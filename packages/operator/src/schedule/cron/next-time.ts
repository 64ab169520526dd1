import { addDate, localTime, timeShown, type LocalTime } from "./local-time.ts";
import type { CronSchedule, Schedule } from "./parse-schedule.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The next time of a schedule, as robfig/cron 3.0.1 finds it (spec.go and constantdelay.go, `Next`): a search that goes
 * forward field by field and begins again wherever a larger unit has changed. Where daylight saving changes, the steps of
 * this search decide: a time that clocks skip has no run that day, a time that they show twice may have two, and on days
 * that begin with a gap some schedules miss a day or run on another. So each step is the same here.
 *
 * @param afterMs milliseconds since the epoch; the answer is later, and a whole second
 * @returns undefined if there is none before the end of the fifth year after this one
 */
export function nextTime(schedule: Schedule, afterMs: number): number | undefined {
  const upcoming = Math.floor(afterMs / SECOND) * SECOND;
  return schedule.kind === "delay" ? upcoming + schedule.delayMs : nextShown(schedule, upcoming + SECOND);
}

interface Search {
  readonly schedule: CronSchedule;
  time: LocalTime;
  /** Whether a unit was moved forward. Before the first move, all smaller units are set to zero. */
  hasStepped: boolean;
}

function nextShown(schedule: CronSchedule, fromMs: number): number | undefined {
  // A field of commas alone is accepted and allows nothing; without this line the search goes on hour by hour.
  if (schedule.minute.values.size === 0 || schedule.hour.values.size === 0) return undefined;
  const search: Search = { schedule, time: localTime(schedule.zone, fromMs), hasStepped: false };
  const lastYear = search.time.clock.getUTCFullYear() + 5;
  while (search.time.clock.getUTCFullYear() <= lastYear) {
    const hasWrapped = toMonth(search) || toDay(search) || toHour(search) || toMinute(search) || toSecond(search);
    if (!hasWrapped) return search.time.ms;
  }
  return undefined;
}

// Each goes to the first value that its field allows. It returns true if a larger unit has changed and must be checked.

function toMonth(search: Search): boolean {
  const { schedule } = search;
  while (!schedule.month.values.has(search.time.clock.getUTCMonth() + 1)) {
    const { clock } = search.time;
    begin(search, Date.UTC(clock.getUTCFullYear(), clock.getUTCMonth(), 1));
    search.time = addDate(schedule.zone, search.time, 1, 0);
    if (search.time.clock.getUTCMonth() === 0) return true;
  }
  return false;
}

function toDay(search: Search): boolean {
  while (!isDayOf(search.schedule, search.time.clock)) {
    begin(search, Math.floor(search.time.clock.getTime() / DAY) * DAY);
    search.time = followingDay(search.schedule, search.time);
    if (search.time.clock.getUTCDate() === 1) return true;
  }
  return false;
}

/** The midnight of the next day, or the nearest time if there is no midnight. */
function followingDay({ zone }: CronSchedule, time: LocalTime): LocalTime {
  const following = addDate(zone, time, 0, 1);
  // Clocks may skip a whole day (Pacific/Apia, 2011-12-30). robfig/cron loops there for ever; here the day is skipped.
  const later = following.ms > time.ms ? following : localTime(zone, time.ms + DAY);
  const hour = later.clock.getUTCHours();
  return hour === 0 ? later : localTime(zone, later.ms + (hour > 12 ? 24 - hour : -hour) * HOUR);
}

/** Both fields have to match if one of them is a star; otherwise one match is enough (spec.go, `dayMatches`). */
function isDayOf({ dayOfMonth, dayOfWeek }: CronSchedule, clock: Date): boolean {
  const isOfMonth = dayOfMonth.values.has(clock.getUTCDate());
  const isOfWeek = dayOfWeek.values.has(clock.getUTCDay());
  return dayOfMonth.isStar || dayOfWeek.isStar ? isOfMonth && isOfWeek : isOfMonth || isOfWeek;
}

function toHour(search: Search): boolean {
  const { schedule } = search;
  while (!schedule.hour.values.has(search.time.clock.getUTCHours())) {
    begin(search, Math.floor(search.time.clock.getTime() / HOUR) * HOUR);
    search.time = localTime(schedule.zone, search.time.ms + HOUR);
    if (search.time.clock.getUTCHours() === 0) return true;
  }
  return false;
}

function toMinute(search: Search): boolean {
  const { schedule } = search;
  while (!schedule.minute.values.has(search.time.clock.getUTCMinutes())) {
    search.hasStepped = true;
    search.time = localTime(schedule.zone, Math.floor(search.time.ms / MINUTE) * MINUTE + MINUTE);
    if (search.time.clock.getUTCMinutes() === 0) return true;
  }
  return false;
}

function toSecond(search: Search): boolean {
  const second = search.time.clock.getUTCSeconds();
  if (second === 0) return false;
  search.hasStepped = true;
  search.time = localTime(search.schedule.zone, search.time.ms + (60 - second) * SECOND);
  return true;
}

function begin(search: Search, shownMs: number): void {
  if (!search.hasStepped) search.time = timeShown(search.schedule.zone, shownMs);
  search.hasStepped = true;
}
