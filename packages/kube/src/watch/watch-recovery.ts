import type { Clock } from "@kindling/outside";
import type { KubeError } from "../errors/kube-error.ts";
import { createBackoff } from "../backoff.ts";

/** An ill server sees one attempt in half a minute from each watcher, and they do not come in step. */
const BACKOFF = { baseMs: 500, capMs: 30_000, resetAfterMs: Number.POSITIVE_INFINITY };
/** A watch has lasted when it was open for so long: a server that closes each one sooner has something wrong with it. */
const SHORTEST_LASTING_WATCH_MS = 5_000;
/** Passing faults, and those of rights; what comes after them can go on from the same resource version. */
const KEEPS_VERSION: ReadonlySet<number> = new Set([401, 403, 429]);

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

/**
 * Whether a watch cannot go on from where it was: the server does not take that resource version (any longer: 410), or
 * sent what was no well-formed event, which makes doubtful what came before it on the same watch.
 */
function needsList(error: KubeError): boolean {
  if (error.kind === "protocol") return true;
  return error.kind === "status" && error.status < 500 && !KEEPS_VERSION.has(error.status);
}
