import type { Clock } from "@kindling/outside";

/** After this time without a watch, it is not known what has happened in the meantime. */
const LONGEST_GAP_MS = 10_000;
/** The server sends what a watch has missed as soon as it has accepted the watch. */
const CATCH_UP_MS = 5_000;

/**
 * Whether a view that is fed by lists and watches is current. Then nothing is known to be missing. Only changes can be
 * missing that are more recent than the idle timeout of a watch.
 *
 * - It becomes current with a complete list, and after a fault also with an event, with a bookmark, or once a watch has
 * been open for five seconds.
 * - It stays current while a watch is open, and for ten seconds without one: the server ends each watch every few minutes,
 * and the next one takes a moment.
 * - It is not current from a fault on (the list or the watch failed, or was not well-formed), while a list is repeated
 * after that, and after its end.
 */
export interface Currency {
  readonly isCurrent: boolean;
  /** The view is complete, or continues without a gap. */
  caughtUp(): void;
  opened(): void;
  closed(): void;
  /** Changes from now on may be missing. */
  lost(): void;
}

export function createCurrency(clock: Clock): Currency {
  let isComplete = false;
  /** While a watch is open: since when. */
  let openSince: number | undefined;
  let watchedUntil = Number.NEGATIVE_INFINITY;
  return {
    get isCurrent() {
      const now = clock.now();
      if (openSince === undefined) return isComplete && now - watchedUntil < LONGEST_GAP_MS;
      return isComplete || now - openSince >= CATCH_UP_MS;
    },
    caughtUp() {
      isComplete = true;
      watchedUntil = clock.now();
    },
    opened() {
      openSince = clock.now();
    },
    closed() {
      if (openSince === undefined) return;
      watchedUntil = clock.now();
      isComplete ||= watchedUntil - openSince >= CATCH_UP_MS;
      openSince = undefined;
    },
    lost() {
      isComplete = false;
      openSince = undefined;
    },
  };
}
