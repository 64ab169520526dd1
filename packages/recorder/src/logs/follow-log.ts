import { createBackoff } from "@kindling/kube";
import { type Clock, type Random, sleep } from "@kindling/outside";
import type { LogReader } from "./log-reader.ts";

export interface FollowLogOptions {
  readonly reader: Pick<LogReader, "read">;
  /** Whether the container runs, has ended, or is gone with its pod; asked again and again. */
  readonly stateOf: () => "waiting" | "running" | "ended" | "gone";
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly signal: AbortSignal;
  /** Whether some of the log has been read before. */
  readonly hasBegun?: boolean;
  /** Whether the container is being ended: then the end of its log is its own end, even if its pod goes before a look at it. */
  readonly isEnding?: boolean;
  /** Called when the log has begun to come: from then on, its container may be deleted. */
  readonly onOpen?: (() => void) | undefined;
}

const BACKOFF = { baseMs: 500, capMs: 15_000, resetAfterMs: 30_000 };

/**
 * Some kubelets send nothing more to those who follow when they have rotated the log (kubernetes/kubernetes 115701, 126564;
 * kubernetes/kubectl 1548). So a log that is silent is asked for again, less and less often.
 */
const FIRST_SILENCE_MS = 30_000;
const LONGEST_SILENCE_MS = 5 * 60_000;

/**
 * Follows the log of a container to its end.
 *
 * @returns what is missing of it, in a sentence; `undefined` if nothing is
 */
export async function followLog(options: FollowLogOptions): Promise<string | undefined> {
  const { reader, stateOf, clock, random, signal, isEnding = false, onOpen } = options;
  const backoff = createBackoff({ ...BACKOFF, clock, random: () => random.fraction() });
  let silenceMs = FIRST_SILENCE_MS;
  let hasRead = options.hasBegun === true;
  let hasReachedEnd = false;
  for (let attempt = 0; ; attempt++) {
    const before = stateOf();
    const begun = clock.monotonic();
    const isLost = before === "gone" && attempt > 0;
    const result = isLost ? "no-log" : await reader.read({ follow: before !== "ended", signal, silenceMs, onOpen });
    if (signal.aborted) return hasRead ? "the end of it may be missing: it was not read in time" : NEVER;
    hasRead ||= result === "read" || result === "silent";
    const after = stateOf();
    // A container's last lines may be written after its log has ended for those who follow it, so it is read once more.
    if (result === "read" && (before === "ended" || after === "gone")) return undefined;
    if (result === "no-log" && (after === "ended" || after === "gone")) {
      if (isEnding && hasReachedEnd) return undefined;
      return hasRead ? "the end of it may be missing: its pod was deleted" : NEVER;
    }
    hasReachedEnd = result === "read";
    if (result === "silent") {
      const hasSpoken = clock.monotonic() - begun > 1.5 * silenceMs;
      silenceMs = hasSpoken ? FIRST_SILENCE_MS : Math.min(2 * silenceMs, LONGEST_SILENCE_MS);
    } else if (after !== "ended" || result !== "read") await sleep(clock, backoff.next(), signal);
  }
}

const NEVER = "it is missing: its pod was deleted before it could be read";
