import type { Clock } from "@kindling/outside";

/** How users are told about a long wait. */
export interface WaitNotices {
  readonly clock: Clock;
  /** After how long they are told. */
  readonly noticeMs: number;
  /** Called with one line without a full stop. */
  readonly onWait: (notice: string) => void;
}

/** When the wait has become long, says what it is for and how long it takes at most. The returned function ends this. */
export function noticeWait(notices: WaitNotices, what: string, timeoutMs: number): () => void {
  const limit = Number.isFinite(timeoutMs) ? `, for ${Math.ceil(timeoutMs / 1000)} s at most` : "";
  return notices.clock.after(notices.noticeMs, () => notices.onWait(`waiting for ${what}${limit}`));
}
