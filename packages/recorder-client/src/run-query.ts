import type { RunState } from "./run.ts";

/** So many namespaces may be in one query: with more, it would be longer than the header of a request may be. */
export const MOST_NAMESPACES = 200;

/** Which runs are wanted. Times are milliseconds since the epoch. */
export interface RunQuery {
  readonly namespace?: string | undefined;
  /** Those of any of these namespaces, at most `MOST_NAMESPACES`; instead of `namespace`. */
  readonly namespaces?: readonly string[] | undefined;
  /** The application's name, id or driver pod; `*` stands for any characters. */
  readonly name?: string | undefined;
  readonly states?: readonly RunState[] | undefined;
  readonly queue?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Ended at this time or later, and before that time. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** The query parameters. */
export function searchOf(query: RunQuery, more: Readonly<Record<string, string | undefined>> = {}): string {
  const { namespace, namespaces = [], name, states = [], queue, labels = {}, since, until } = query;
  const parameters = new URLSearchParams();
  const single = { namespace, name, queue, since: timeText(since), until: timeText(until), ...more };
  for (const [key, value] of Object.entries(single)) if (value !== undefined) parameters.set(key, value);
  for (const one of namespaces) parameters.append("namespace", one);
  for (const state of states) parameters.append("state", state);
  for (const [key, value] of Object.entries(labels)) parameters.append("label", `${key}=${value}`);
  return parameters.toString();
}

function timeText(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
