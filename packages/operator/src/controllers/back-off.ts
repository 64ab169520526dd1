/** Waits of controller-runtime, from 5 ms; a minute at most, since nothing is lost by looking. */
export const BACK_OFF = { baseMs: 5, capMs: 60_000 };
