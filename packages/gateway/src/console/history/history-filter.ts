import { RUN_STATES, type RunPlace, type RunQuery, type RunState } from "@kindling/recorder-client";

/** Which applications that have ended a visitor wants to see. */
export interface HistoryFilter {
  readonly state: RunState | undefined;
  readonly queue: string | undefined;
  /** Its name, id or driver pod; `*` stands for any characters. */
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  /** One of `PERIODS`. */
  readonly since: string | undefined;
  /** Where the list goes on. */
  readonly after: string | undefined;
}

/** Each period with its words, and its length in milliseconds. */
export const PERIODS: ReadonlyMap<string, readonly [words: string, milliseconds: number]> = new Map([
  ["1h", ["in the last hour", 3_600_000]],
  ["24h", ["in the last 24 hours", 86_400_000]],
  ["7d", ["in the last 7 days", 604_800_000]],
  ["30d", ["in the last 30 days", 2_592_000_000]],
]);

/** Names of Kubernetes and Spark are shorter. */
const LONGEST = 253;

/** Reads the query of the page's address; what is not understood is ignored. */
export function historyFilterOf(query: URLSearchParams): HistoryFilter {
  const text = (name: string, most = LONGEST): string | undefined => {
    const value = query.get(name)?.trim() ?? "";
    return value === "" || value.length > most ? undefined : value;
  };
  const since = text("since");
  return {
    state: RUN_STATES.find((state) => state === query.get("state")),
    queue: text("queue"),
    name: text("name"),
    namespace: text("namespace"),
    since: since !== undefined && PERIODS.has(since) ? since : undefined,
    after: text("continue", 512),
  };
}

/** The address of a list with this filter. */
export function historyAddress({ after, ...filter }: Partial<HistoryFilter>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, continue: after }))
    if (value !== undefined) query.set(name, value);
  return query.size === 0 ? "/history" : `/history?${query.toString()}`;
}

/** The address of the page of a run. */
export function runAddress({ namespace, uid }: RunPlace): string {
  return `/history/${namespace}/${uid}`;
}

/** The address of one of its logs. */
export function logAddress(run: RunPlace, name: string): string {
  return `${runAddress(run)}/logs/${name}`;
}

/** What the recorder is asked for, besides namespaces. */
export function runQueryOf({ state, queue, name, since }: HistoryFilter, now: number): RunQuery {
  const period = since === undefined ? undefined : PERIODS.get(since);
  return {
    ...{ name, queue, states: state && [state] },
    since: period && now - period[1],
  };
}
