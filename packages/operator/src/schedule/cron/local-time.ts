import type { TimeZone } from "./time-zones.ts";

/** A moment, and what clocks in a zone show then. */
export interface LocalTime {
  readonly ms: number;
  /** A date whose UTC fields are the zone's. */
  readonly clock: Date;
}

export function localTime(zone: TimeZone, ms: number): LocalTime {
  return { ms, clock: new Date(ms + zone.offsetAt(ms)) };
}

/**
 * The moment at which clocks show a time, as Go's `time.Date` finds it. Fields may go beyond their bounds. If clocks show
 * the time twice, it is one of the two moments. If clocks skip the time, the moment is earlier or later by the change of
 * the offset.
 *
 * @param shownMs the time as if the zone were UTC
 */
export function timeShown(zone: TimeZone, shownMs: number): LocalTime {
  return localTime(zone, shownMs - zone.offsetAt(shownMs - zone.offsetAt(shownMs)));
}

/** Adds months and days on the calendar, at the same hour if that exists (Go's `Time.AddDate`). */
export function addDate(zone: TimeZone, { clock }: LocalTime, months: number, days: number): LocalTime {
  const later = new Date(clock);
  // Both at once, so that a day beyond the month's end moves into the next month, as in Go.
  later.setUTCMonth(clock.getUTCMonth() + months, clock.getUTCDate() + days);
  return timeShown(zone, later.getTime());
}
