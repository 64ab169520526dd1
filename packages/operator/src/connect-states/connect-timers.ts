import { parseTime, quotedName } from "@kindling/core-spec";
import { goDuration } from "../schedule/cron/go-duration.ts";

/** Annotation of a SparkConnect: without work for this long, its server is stopped. */
export const IDLE_TIMEOUT_ANNOTATION = "operator.kindling/idle-timeout";
/** Annotation of a SparkConnect: this long after its creation, it is deleted. */
export const TTL_ANNOTATION = "operator.kindling/ttl";

/** What the annotations of an object say about its end. Stock's operator does not read them. */
export interface ConnectTimers {
  readonly idleTimeoutMs: number | undefined;
  readonly ttlMs: number | undefined;
  /** Why a value has no effect, one sentence each. */
  readonly notices: readonly string[];
}

export function connectTimers(annotations: Readonly<Record<string, string>>): ConnectTimers {
  const notices: string[] = [];
  const read = (annotation: string): number | undefined => {
    const text = annotations[annotation];
    if (text === undefined) return undefined;
    const milliseconds = readDuration(text);
    if (milliseconds === undefined)
      notices.push(
        `annotation ${annotation}: ${quotedName(text)} has no effect: write a time above 0, such as 45m, 1h30m or 7d`,
      );
    return milliseconds;
  };
  return { idleTimeoutMs: read(IDLE_TIMEOUT_ANNOTATION), ttlMs: read(TTL_ANNOTATION), notices };
}

/**
 * Reads a duration as Go does (`1h30m`) or as Spark does (`90min`, `7d`; without a unit it is seconds). Both have the same
 * units where they overlap.
 *
 * @returns milliseconds; undefined for what is no duration, and for none above 0
 */
export function readDuration(text: string): number | undefined {
  const trimmed = text.trim();
  const milliseconds = goMilliseconds(trimmed) ?? sparkMilliseconds(trimmed);
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds : undefined;
}

function goMilliseconds(text: string): number | undefined {
  try {
    return Number(goDuration(text) / 1_000_000n);
  } catch {
    return undefined;
  }
}

function sparkMilliseconds(text: string): number | undefined {
  return parseTime(/^[0-9]+$/.test(text) ? `${text}s` : text, "ms");
}
