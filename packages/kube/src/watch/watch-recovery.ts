import type { Clock } from "@kindling/outside";
import type { KubeError } from "../errors/kube-error.ts";
import { createBackoff } from "../backoff.ts";
import { isExpired } from "../errors/status.ts";

/** A failing server gets one attempt per half minute from each watcher, and these do not come at the same time. */
const BACKOFF = { baseMs: 500, capMs: 30_000, resetAfterMs: Number.POSITIVE_INFINITY };
/**
 * A watch that was open for this long counts as a good one: if a server closes each watch sooner, something is wrong with it.
 */
const SHORTEST_LASTING_WATCH_MS = 5_000;
/** Passing faults, and missing rights. After these a watch can continue from the same resource version. */
const KEEPS_VERSION: ReadonlySet<number> = new Set([401, 403, 429]);
/** If a watch or list is answered with one of these, the object may still be requested by its name. */
const FORBIDS_WATCHES: ReadonlySet<number> = new Set([403, 405]);

/**
 * How to continue after a watch has ended or failed: from where, and after how long. No answer of a server ends it. There is
 * a pause after a fault, and after a watch that ended at once, with or without events. The pauses grow until a watch has
 * stayed open long enough.
 */
export interface WatchRecovery {
  /** The server has accepted a watch. */
  opened(): void;
  /** The watch has ended properly: how long to wait before the next one, usually 0. */
  afterEnd(): number;
  /** The watch, or the list before it, has failed. */
  afterFault(error: KubeError): { readonly from: "same-version" | "list"; readonly waitMs: number };
}

export function watchRecovery(clock: Clock, random: () => number): WatchRecovery {
  const backoff = createBackoff({ ...BACKOFF, clock, random });
  let openedAt: number | undefined;

  /** How long the ended watch was open, in milliseconds; 0 if there was none. */
  function endWatch(): number {
    const watchedMs = openedAt === undefined ? 0 : clock.now() - openedAt;
    openedAt = undefined;
    return watchedMs;
  }

  return {
    opened() {
      openedAt = clock.now();
    },
    afterEnd() {
      if (endWatch() < SHORTEST_LASTING_WATCH_MS) return backoff.next();
      backoff.reset();
      return 0;
    },
    afterFault(error) {
      const watchedMs = endWatch();
      const from = needsList(error) ? "list" : "same-version";
      // A list costs the server far more than a watch: a short watch between two lists makes neither of them cheaper.
      if (watchedMs >= (from === "list" ? BACKOFF.capMs : SHORTEST_LASTING_WATCH_MS)) backoff.reset();
      return { from, waitMs: backoff.next() };
    },
  };
}

/** The longest wait before a server that could not be reached is asked for the object again. */
const LONGEST_WAIT_FOR_OBJECT_MS = 10_000;

/**
 * How one object is followed: it is read, then watched, and read again when the watch has ended or failed. A caller waits for
 * it, so a permanent refusal of the server ends it.
 */
export interface ObjectRecovery {
  /** Whether the server allows a watch of the object, as far as is known. */
  readonly mayWatch: boolean;
  /**
   * How to read the object. A GET returns the object with the version of its last change. If that was long ago, the server
   * may have forgotten this version, and then a watch can never begin there. A list has the current version (Kubernetes,
   * "Efficient detection of changes").
   */
  readonly lookBy: "get" | "list";
  /** The object was read. */
  shown(): void;
  /** The read has failed: how long to wait before the next read, in milliseconds; `undefined` to give up. */
  afterFailedLook(error: KubeError): number | undefined;
  /** The watch has ended properly, or there was none: how long to wait before the next read. */
  afterWatch(): number;
  /** The watch has failed: how long to wait before the next read; `undefined` to give up. */
  afterFailedWatch(error: KubeError): number | undefined;
}

export interface ObjectRecoveryOptions {
  /** The time between two reads, if the server answers. */
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly random: () => number;
}

export function objectRecovery({ intervalMs, clock, random }: ObjectRecoveryOptions): ObjectRecovery {
  const capMs = Math.max(intervalMs, LONGEST_WAIT_FOR_OBJECT_MS);
  const backoff = createBackoff({
    baseMs: intervalMs,
    capMs,
    resetAfterMs: Number.POSITIVE_INFINITY,
    clock,
    random,
  });
  let mayWatch = true;
  let hasExpired = false;
  const lookBy = (): ObjectRecovery["lookBy"] => (hasExpired && mayWatch ? "list" : "get");
  return {
    get mayWatch() {
      return mayWatch;
    },
    get lookBy() {
      return lookBy();
    },
    shown: () => backoff.reset(),
    afterFailedLook(error) {
      if (lookBy() === "list" && forbidsWatches(error)) {
        mayWatch = false;
        return 0;
      }
      return isPassing(error) ? backoff.next() : undefined;
    },
    afterWatch: () => intervalMs,
    afterFailedWatch(error) {
      if (forbidsWatches(error)) mayWatch = false;
      else if (isExpired(error)) hasExpired = true;
      else if (!isPassing(error)) return undefined;
      return intervalMs;
    },
  };
}

function forbidsWatches(error: KubeError): boolean {
  return error.kind === "status" && FORBIDS_WATCHES.has(error.status);
}

/** Whether a fault may go away by itself. */
function isPassing(error: KubeError): boolean {
  // A 404 that does not name the object comes from a proxy, which knows nothing about the object.
  if (error.kind === "status") return error.status >= 500 || error.status === 429 || error.status === 404;
  return error.kind === "unreachable" || error.kind === "timeout" || error.kind === "protocol";
}

/**
 * Whether a watch cannot continue from where it was: the server does not accept that resource version (any longer: 410), or
 * it sent something that was not a well-formed event. Then the earlier events of the same watch are doubtful, too.
 */
function needsList(error: KubeError): boolean {
  if (error.kind === "protocol") return true;
  return error.kind === "status" && error.status < 500 && !KEEPS_VERSION.has(error.status);
}
