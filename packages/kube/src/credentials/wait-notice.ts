import type { Clock } from "@kindling/outside";

/** How somebody is told of a wait that they may wonder about. */
export interface WaitNotices {
  readonly clock: Clock;
  /** After how long. */
  readonly noticeMs: number;
  /** Given one line without a full stop. */
  readonly onWait: (notice: string) => void;
}

/** Says what is waited for, and for how long at most, once the wait has become long; the result ends that. */
export function noticeWait(notices: WaitNotices, what: string, timeoutMs: number): () => void {
  const limit = Number.isFinite(timeoutMs) ? `, for ${Math.ceil(timeoutMs / 1000)} s at most` : "";
  return notices.clock.after(notices.noticeMs, () => notices.onWait(`waiting for ${what}${limit}`));
}
