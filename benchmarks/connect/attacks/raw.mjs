// @ts-check
import { END_STREAM, FRAME, framesIn } from "@kindling/test-kit/http2-frames";
import { sleep } from "../../harness/wait.mjs";

const LOOK_MS = 20;

/**
 * Waits for the end of the first call of a connection.
 *
 * @param {Pick<import("./means.mjs").RawConnection, "heard" | "closed">} connection
 * @returns {Promise<"answered" | "reset" | "closed">}
 */
export async function answered({ heard, closed }) {
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  for (;;) {
    const frames = framesIn(heard());
    if (frames.some(({ type, stream }) => type === FRAME.reset && stream === 1)) return "reset";
    if (frames.some(({ type }) => type === FRAME.goAway)) return "closed";
    if (frames.some(endsCall)) return "answered";
    if (isClosed) return "closed";
    await sleep(LOOK_MS);
  }
}

/** @param {import("@kindling/test-kit/http2-frames").FrameHead} head */
function endsCall({ type, flags, stream }) {
  return (type === FRAME.headers || type === FRAME.data) && stream === 1 && (flags & END_STREAM) !== 0;
}
