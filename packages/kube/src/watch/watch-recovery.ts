import type { Clock } from "@kindling/outside";
import type { KubeError } from "../errors/kube-error.ts";
import { createBackoff } from "../backoff.ts";
import { isExpired } from "../errors/status.ts";

/** An ill server sees one attempt in half a minute from each watcher, and they do not come in step. */
const BACKOFF = { baseMs: 500, capMs: 30_000, resetAfterMs: Number.POSITIVE_INFINITY };
/** A watch has lasted when it was open for so long: a server that closes each one sooner has something wrong with it. */
const SHORTEST_LASTING_WATCH_MS = 5_000;
/** Passing faults, and those of rights; what comes after them can go on from the same resource version. */
const KEEPS_VERSION: ReadonlySet<number> = new Set([401, 403, 429]);
/** An object whose watch, or list, is answered so may still be asked for by its name. */
const FORBIDS_WATCHES: ReadonlySet<number> = new Set([403, 405]);

/**
 * How a watch goes on that has ended or failed: from where, and after how long. Nothing that a server answers ends it.
 * Faults are met with pauses, and so are watches that end at once, whether or not they brought events: the pauses grow
 * until a watch has lasted.
 */
export interface WatchRecovery {
  /** The server has accepted a watch. */
  opened(): void;
  /** The watch has ended in good order: how long to wait before the next one, 0 as a rule. */
  afterEnd(): number;
  /** The watch, or the list before it, has failed. */
  afterFault(error: KubeError): { readonly from: "same-version" | "list"; readonly waitMs: number };
}

export function watchRecovery(clock: Clock, random: () => number): WatchRecovery {
  const backoff = createBackoff({ ...BACKOFF, clock, random });
  let openedAt: number | undefined;

  /** How long the watch was open that has ended, in milliseconds; 0 if there was none. */
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

/** The longest wait before a server that cannot be asked for an object is asked again. */
const LONGEST_WAIT_FOR_OBJECT_MS = 10_000;

/**
 * How one object is followed: it is looked at, then watched, and looked at again when the watch has ended or failed. Somebody
 * waits for it, so what the server refuses for good ends it.
 */
export interface ObjectRecovery {
  /** Whether the server lets the object be watched, as far as is known. */
  readonly mayWatch: boolean;
  /**
   * How to look at the object. What a GET gives has the version of its last change. Where that is so long ago that the
   * server has forgotten what came behind, a watch cannot begin there, however often one asks; the version of a list is the
   * present one (Kubernetes, "Efficient detection of changes").
   */
  readonly lookBy: "get" | "list";
  /** The server has shown the object. */
  shown(): void;
  /** The server has not shown it: how long to wait before the next look, in milliseconds; `undefined` to give up. */
  afterFailedLook(error: KubeError): number | undefined;
  /** The watch has ended in good order, or there was none: how long to wait before the next look. */
  afterWatch(): number;
  /** The watch has failed: how long to wait before the next look; `undefined` to give up. */
  afterFailedWatch(error: KubeError): number | undefined;
}

export interface ObjectRecoveryOptions {
  /** Between two looks, where the server answers. */
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

/** Whether a fault may mend itself. */
function isPassing(error: KubeError): boolean {
  // A 404 that does not name the object comes from something on the way, which knows nothing of it.
  if (error.kind === "status") return error.status >= 500 || error.status === 429 || error.status === 404;
  return error.kind === "unreachable" || error.kind === "timeout" || error.kind === "protocol";
}

/**
 * Whether a watch cannot go on from where it was: the server does not take that resource version (any longer: 410), or
 * sent what was no well-formed event, which makes doubtful what came before it on the same watch.
 */
function needsList(error: KubeError): boolean {
  if (error.kind === "protocol") return true;
  return error.kind === "status" && error.status < 500 && !KEEPS_VERSION.has(error.status);
}
