import type { Audience } from "./errors.ts";

/** What a problem (RFC 9457) means for a client and for the error reference. */
export interface Problem {
  /** The HTTP status. */
  readonly status: number;
  /** Who can solve it. */
  readonly audience: Audience;
  /** Whether the same request may succeed later without any change. */
  readonly retryable: boolean;
  readonly title: string;
}

/** A problem as a row: its name, then the members of `Problem` in their order. */
export type ProblemRow = readonly [name: string, status: number, audience: Audience, retryable: boolean, title: string];

/** The names in a list of rows that is declared `as const`. */
export type ProblemNames<Rows extends readonly ProblemRow[]> = Rows[number][0];

/** The problems of a service by name, which is the end of their `type`. */
export function problemsByName<const Rows extends readonly ProblemRow[]>(
  rows: Rows,
): Readonly<Record<ProblemNames<Rows>, Problem>> {
  return Object.fromEntries(
    rows.map(([name, status, audience, retryable, title]) => [name, { status, audience, retryable, title }]),
  ) as Record<ProblemNames<Rows>, Problem>;
}
