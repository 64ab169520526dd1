/** Waits of controller-runtime, from 5 ms; here a minute at most, since one more check does no harm. */
export const BACK_OFF = { baseMs: 5, capMs: 60_000 };
