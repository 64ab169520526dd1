import type { LogPosition } from "@kindling/kube";

/** How far a log has been taken over. */
export interface LogState {
  /** The number of the part that is being written, from 1 on. */
  readonly part: number;
  /** The bytes of this part. */
  readonly size: number;
  /** The last part that is in the archive; 0 if none is. */
  readonly stored: number;
  /** The bytes of all parts. */
  readonly bytes: number;
  readonly position?: LogPosition;
}

export const EMPTY_LOG: LogState = { part: 1, size: 0, stored: 0, bytes: 0 };

/** Reads the state that an earlier process has written; the beginning, if there is none. */
export function parseLogState(text: string | undefined): LogState {
  const value = parsed(text);
  if (value === undefined) return EMPTY_LOG;
  const { part, size, stored, bytes, position } = value;
  if (!isCount(part) || !isCount(size) || !isCount(stored) || !isCount(bytes) || part <= stored) return EMPTY_LOG;
  return { part, size, stored, bytes, ...(isPosition(position) && { position }) };
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isPosition(value: unknown): value is LogPosition {
  if (typeof value !== "object" || value === null || !("time" in value) || !("lines" in value)) return false;
  return typeof value.time === "string" && isCount(value.lines);
}
