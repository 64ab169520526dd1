import type { ConnectServerRecord } from "../pods/connect-pod-record.ts";
import type { ServerActivity } from "./server-activity.ts";

/** Whether a server has been idle for too long. */
export interface Idleness {
  readonly isOver: boolean;
  /** Whether the server has to be asked before that can be said. */
  readonly asks: boolean;
  /** When it may be over at the earliest, in milliseconds since the epoch. */
  readonly lookAgainAtMs: number | undefined;
}

const NOT_OVER: Idleness = { isOver: false, asks: false, lookAgainAtMs: undefined };

/** When a server that did not tell is asked again. */
export const ASK_AGAIN_MS = 60_000;

/**
 * Whether a server has been idle for too long. It counts from the end of the last job or query, or since the server is
 * ready. The server is asked only when that time is over, so at most about once in each.
 *
 * @param timeoutMs undefined for no limit
 */
export function idleness(
  server: ConnectServerRecord | undefined,
  timeoutMs: number | undefined,
  { activity, nowMs }: { readonly activity: ServerActivity; readonly nowMs: number },
): Idleness {
  const readySinceMs = server?.isDeleting === true ? undefined : server?.readySinceMs;
  if (timeoutMs === undefined || readySinceMs === undefined) return NOT_OVER;
  const until = (sinceMs: number): Idleness =>
    nowMs - sinceMs >= timeoutMs ? { ...NOT_OVER, isOver: true } : { ...NOT_OVER, lookAgainAtMs: sinceMs + timeoutMs };
  // Nobody need be asked: the server has not been there for that long.
  if (!until(readySinceMs).isOver) return until(readySinceMs);
  switch (activity.kind) {
    case "not-asked":
      return { ...NOT_OVER, asks: true };
    case "busy":
      return { ...NOT_OVER, lookAgainAtMs: nowMs + timeoutMs };
    case "quiet":
      // The clock of the server's node may be ahead.
      return until(Math.max(readySinceMs, Math.min(activity.sinceMs ?? readySinceMs, nowMs)));
    case "unknown":
      return { ...NOT_OVER, lookAgainAtMs: nowMs + Math.min(timeoutMs, ASK_AGAIN_MS) };
  }
}
