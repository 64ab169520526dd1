import type { HistoryCursor, HistoryQuery } from "../runs/history.ts";
import { MOST_NAMESPACES, RUN_STATES, type RunState } from "@kindling/recorder-client";
import { ProblemError } from "../http/problem.ts";

/** Which runs are asked for, as a request writes it. */
export interface RunQuery {
  readonly namespace?: readonly string[];
  readonly name?: string;
  readonly state?: readonly string[];
  readonly queue?: string;
  readonly label?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly continue?: string;
}

const text = (description: string, maxLength = 253): object => ({ type: "string", maxLength, description });
const texts = (description: string, maxItems = 32): object => ({
  type: "array",
  maxItems,
  items: { type: "string", maxLength: 320 },
  description,
});

/** The JSON schema of such a query's members. */
export const RUN_QUERY: Readonly<Record<string, object>> = {
  namespace: texts("Only those of this namespace; several times for several", MOST_NAMESPACES),
  name: text("Name, id or driver pod of the application; * stands for any characters"),
  state: texts(`${RUN_STATES.join(", ")}; several times for several`),
  queue: text("Only those of this queue"),
  label: texts("KEY=VALUE: only those whose driver pod had this label; several times for several"),
  since: text("Only those that ended at this time or later, as 2026-11-21T09:00:00Z", 40),
  until: text("Only those that ended before this time", 40),
};

/**
 * Reads a query.
 *
 * @param mayShow leaves out other namespaces than those of the query, too
 * @throws ProblemError `invalid-request`
 */
export function historyQuery(query: RunQuery, mayShow: (namespace: string) => boolean): HistoryQuery {
  const { name, queue } = query;
  return {
    ...{ mayShow, name, queue },
    states: query.state === undefined ? undefined : new Set(query.state.map(state)),
    labels: Object.fromEntries((query.label ?? []).map(label)),
    since: time("since", query.since),
    until: time("until", query.until),
    after: cursor(query.continue),
  };
}

function state(text: string): RunState {
  const found = RUN_STATES.find((one) => one === text);
  if (found !== undefined) return found;
  throw invalid("state", `there are ${RUN_STATES.join(", ")}`);
}

function label(text: string): readonly [key: string, value: string] {
  const at = text.indexOf("=");
  if (at <= 0) throw invalid("label", "write it as KEY=VALUE");
  return [text.slice(0, at), text.slice(at + 1)];
}

function time(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const found = Date.parse(text);
  if (Number.isFinite(found)) return found;
  throw invalid(name, "write it as 2026-11-21T09:00:00Z");
}

/** The place after a run, for the next page. */
export function cursorText({ ended, uid }: HistoryCursor): string {
  return Buffer.from(`${ended}/${uid}`).toString("base64url");
}

/** A list that began again with a token that is not understood would never end. */
function cursor(text: string | undefined): HistoryCursor | undefined {
  if (text === undefined) return undefined;
  const [, ended = "", uid = ""] = /^(\d{1,16})\/(.+)$/.exec(Buffer.from(text, "base64url").toString("utf8")) ?? [];
  if (uid !== "") return { ended: Number(ended), uid };
  throw invalid("continue", "pass the member continue of the answer before, unchanged");
}

function invalid(name: string, hint: string): ProblemError {
  return new ProblemError("invalid-request", `query parameter ${name} is not understood`, { hint });
}
