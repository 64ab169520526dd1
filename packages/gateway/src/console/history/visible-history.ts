import type { Clock } from "@kindling/outside";
import {
  isName,
  MOST_NAMESPACES,
  type PodLife,
  type RecorderClient,
  RecorderError,
  type Run,
  type RunPage,
  type RunRecord,
  type Stage,
} from "@kindling/recorder-client";
import type { ReviewedUser } from "@kindling/service";
import type { RecorderConnection } from "../../recorder/recorder-connection.ts";
import { allowedNamespaces } from "../page/allowed-namespaces.ts";
import type { AskRight } from "../page/visible-overview.ts";
import { type HistoryFilter, runQueryOf } from "./history-filter.ts";

export interface VisibleHistoryOptions {
  readonly recorder: RecorderConnection;
  readonly ask: AskRight;
  readonly clock: Clock;
  /** Told why a part of a page could not be read. */
  readonly onMissing: (part: string, error: unknown) => void;
}

export interface VisibleRuns extends RunPage {
  /** All namespaces whose history the user may read, sorted. */
  readonly namespaces: readonly string[];
  /** How many of them were asked about: fewer if there are too many for one question. */
  readonly asked: number;
}

/** What is kept of a run. A part that could not be read is undefined. */
export interface KeptRun {
  readonly record: RunRecord;
  readonly lives: readonly PodLife[] | undefined;
  readonly stages: readonly Stage[] | undefined;
  /** The last lines of the driver's log. */
  readonly log: readonly string[] | undefined;
  /** The latest runs of the same name in the same namespace, this one among them. */
  readonly runs: readonly Run[] | undefined;
}

/** Where something of a run is kept, as an address of the page says it. */
export interface RunAddress {
  readonly namespace: string;
  readonly uid: string;
}

export interface LogLines {
  readonly lines: AsyncIterable<string>;
  close(): Promise<void>;
}

/** What the recorder keeps, as far as a user may see it. All methods reject with a `RecorderError`, or if a right is unknown. */
export interface VisibleHistory {
  list(user: ReviewedUser, filter: HistoryFilter): Promise<VisibleRuns>;
  /** Undefined for a run that is not kept, and for one that the user may not see. */
  run(user: ReviewedUser, address: RunAddress): Promise<KeptRun | undefined>;
  /** The lines of a log; undefined as for a run. The caller has to close them. */
  log(user: ReviewedUser, address: RunAddress, name: string): Promise<LogLines | undefined>;
}

export const RUNS_ON_A_PAGE = 50;
export const LOG_LINES = 200;
const RUNS_OF_A_NAME = 20;
/** More are not kept in memory for one page. */
const MOST_LIVES = 20_000;
const MOST_STAGES = 20_000;

/** Readers of the log of a live pod may see what is kept of its namespace. The recorder has the same rule. */
const READS_LOGS = { verb: "get", resource: "pods", subresource: "log" } as const;

export function visibleHistory({ recorder, ask, clock, onMissing }: VisibleHistoryOptions): VisibleHistory {
  const mayRead = async (user: ReviewedUser, namespace?: string): Promise<boolean> =>
    (await ask(user, { ...READS_LOGS, ...(namespace !== undefined && { namespace }) })).allowed;

  async function readable(user: ReviewedUser): Promise<readonly string[]> {
    const known = await recorder.ask((client) => client.namespaces());
    if (known.length > 0 && (await mayRead(user))) return known;
    const allowed = await allowedNamespaces(known, (namespace) => mayRead(user, namespace));
    return known.filter((namespace) => allowed.has(namespace));
  }

  async function recordOf(user: ReviewedUser, { namespace, uid }: RunAddress): Promise<RunRecord | undefined> {
    if (!isName(namespace) || !isName(uid) || !(await mayRead(user, namespace))) return undefined;
    const record = await unlessUnknown(recorder.ask((client) => client.record(uid)));
    return record?.run.namespace === namespace && record.run.uid === uid ? record : undefined;
  }

  async function part<T>(name: string, question: (client: RecorderClient) => Promise<T>): Promise<T | undefined> {
    try {
      return await unlessUnknown(recorder.ask(question));
    } catch (error) {
      onMissing(name, error);
      return undefined;
    }
  }

  return {
    async list(user, filter) {
      const namespaces = await readable(user);
      const wanted = namespaces.filter((one) => (filter.namespace ?? one) === one).slice(0, MOST_NAMESPACES);
      if (wanted.length === 0) return { runs: [], namespaces, asked: 0 };
      const query = { ...runQueryOf(filter, clock.now()), namespaces: wanted };
      const page = await recorder.ask((client) => client.runPage(query, RUNS_ON_A_PAGE, filter.after));
      const isWanted = new Set(wanted);
      return {
        ...page,
        runs: page.runs.filter((run) => isWanted.has(run.namespace)),
        namespaces,
        asked: wanted.length,
      };
    },
    async run(user, address) {
      const record = await recordOf(user, address);
      if (record === undefined) return undefined;
      const { uid, namespace, name } = record.run;
      const [lives, stages, log, runs] = await Promise.all([
        part("executors", (client) => firstOf(client.executors(uid), MOST_LIVES)),
        part("stages", (client) => firstOf(client.stages(uid), MOST_STAGES)),
        part("log", (client) => firstOf(client.log(uid, "driver", { tailLines: LOG_LINES }), LOG_LINES)),
        part("runs", (client) => client.runPage({ namespace, name }, RUNS_OF_A_NAME)),
      ]);
      // A name may contain what stands for any characters.
      const same = runs?.runs.filter((run) => run.namespace === namespace && run.name === name);
      return { record, lives, stages, log, runs: same };
    },
    async log(user, address, name) {
      if (!isName(name) || (await recordOf(user, address)) === undefined) return undefined;
      return await unlessUnknown(recorder.ask((client) => begun(client.log(address.uid, name))));
    },
  };
}

async function unlessUnknown<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RecorderError && error.status === 404) return undefined;
    throw error;
  }
}

async function firstOf<T>(items: AsyncIterable<T>, most: number): Promise<readonly T[]> {
  const first: T[] = [];
  if (most > 0)
    for await (const item of items) {
      first.push(item);
      if (first.length === most) break;
    }
  return first;
}

/** The same lines, after the first one has come: before that, it is not known whether there are any. */
async function begun(lines: AsyncGenerator<string, void>): Promise<LogLines> {
  const first = await lines.next();
  return {
    lines: all(),
    async close() {
      await lines.return();
    },
  };

  async function* all(): AsyncGenerator<string, void> {
    if (first.done !== true) yield first.value;
    yield* lines;
  }
}
