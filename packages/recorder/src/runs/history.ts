import { Column, hashOf, Names, numbers, times } from "./columns.ts";
import { Lines } from "./lines.ts";
import { longestPart, nameMatcher } from "./name-matcher.ts";
import { RUN_STATES, type Run, type RunState, parseRun, runText } from "@kindling/recorder-client";

/** Which runs are wanted. Times are milliseconds since the epoch. */
export interface HistoryQuery {
  /** Whether runs of a namespace may be shown. */
  readonly mayShow: (namespace: string) => boolean;
  readonly namespace?: string | undefined;
  /** The application's name, its id, or the name of its driver pod. `*` stands for any characters. */
  readonly name?: string | undefined;
  readonly states?: ReadonlySet<RunState> | undefined;
  readonly queue?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Ended at this time or later, and before that time. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Continues after a page. */
  readonly after?: HistoryCursor | undefined;
}

/** The last run of a page. */
export interface HistoryCursor {
  readonly ended: number;
  readonly uid: string;
}

const LINE_FEED = 0x0a;
const NO_QUEUE = "";

/**
 * All runs of an archive in memory, the newest first. A run takes the bytes of its line in the index, and some fifty more: what
 * is asked for is in columns, and only runs that are shown are parsed.
 */
export class History {
  readonly #lines = new Lines();
  readonly #namespaces = new Names();
  readonly #queues = new Names();
  readonly #names = new Names();
  readonly #ended = new Column(times);
  readonly #namespace = new Column(numbers);
  readonly #queue = new Column(numbers);
  readonly #state = new Column(numbers);
  readonly #name = new Column(numbers);
  /** Hashes: these texts are different for each run, and take much memory. */
  readonly #id = new Column(numbers);
  readonly #driver = new Column(numbers);
  /** By uid. */
  readonly #rows = new Map<string, number>();
  #nextRow = 0;
  readonly #free: number[] = [];
  /** The rows, the oldest first; `undefined` after a change. */
  #order: number[] | undefined;

  get size(): number {
    return this.#rows.size;
  }

  /**
   * Adds the lines of a file of the index. A run that is known already is replaced.
   *
   * @returns how many lines are no runs
   */
  load(file: Buffer): number {
    let bad = 0;
    let start = 0;
    while (start < file.length) {
      const found = file.indexOf(LINE_FEED, start);
      const end = found < 0 ? file.length : found;
      if (end > start) {
        const line = file.subarray(start, end);
        const run = parseRun(line.toString("utf8"));
        if (run === undefined) bad++;
        else this.#put(run, line);
      }
      start = end + 1;
    }
    return bad;
  }

  add(run: Run): void {
    this.#put(run, Buffer.from(runText(run)));
  }

  remove(uid: string): void {
    const row = this.#rows.get(uid);
    if (row === undefined) return;
    this.#rows.delete(uid);
    this.#lines.clear(row);
    this.#free.push(row);
    this.#order = undefined;
  }

  has(uid: string): boolean {
    return this.#rows.has(uid);
  }

  byUid(uid: string): Run | undefined {
    const row = this.#rows.get(uid);
    return row === undefined ? undefined : this.#runAt(row);
  }

  /** The namespaces of all runs. Some of them may have had runs only earlier. */
  get namespaces(): readonly string[] {
    return this.#namespaces.texts;
  }

  /** All attempts of an application, the newest first. */
  find(query: HistoryQuery, limit: number): { readonly runs: readonly Run[]; readonly hasMore: boolean } {
    const runs: Run[] = [];
    for (const run of this.matching(query)) {
      if (runs.length === limit) return { runs, hasMore: true };
      runs.push(run);
    }
    return { runs, hasMore: false };
  }

  /** The newest first. */
  *matching(query: HistoryQuery): Generator<Run, void> {
    const isWanted = this.#condition(query);
    const isNamed = query.name === undefined ? () => true : nameMatcher(query.name);
    const order = (this.#order ??= this.#sorted());
    const labels = Object.entries(query.labels ?? {});
    for (let index = order.length - 1; index >= 0; index--) {
      const row = order[index] ?? 0;
      if (query.since !== undefined && this.#ended.at(row) < query.since) return;
      if (!isWanted(row)) continue;
      const run = this.#runAt(row);
      if (run === undefined || !isAfter(run, query.after)) continue;
      if (![run.name, run.id, run.driver].some(isNamed)) continue;
      if (labels.every(([key, value]) => run.labels[key] === value)) yield run;
    }
  }

  #put(run: Run, line: Uint8Array): void {
    const known = this.#rows.get(run.uid);
    const row = known ?? this.#free.pop() ?? this.#nextRow++;
    this.#rows.set(run.uid, row);
    this.#lines.set(row, line);
    this.#ended.set(row, run.ended);
    this.#namespace.set(row, this.#namespaces.numberOf(run.namespace));
    this.#queue.set(row, this.#queues.numberOf(run.queue ?? NO_QUEUE));
    this.#state.set(row, RUN_STATES.indexOf(run.state));
    this.#name.set(row, this.#names.numberOf(run.name));
    this.#id.set(row, hashOf(run.id));
    this.#driver.set(row, hashOf(run.driver));
    // Most runs that are added have ended after all others.
    if (known === undefined && this.#isNewest(run.ended)) this.#order?.push(row);
    else this.#order = undefined;
  }

  #isNewest(ended: number): boolean {
    const newest = this.#order?.at(-1);
    return newest === undefined || this.#ended.at(newest) < ended;
  }

  #runAt(row: number): Run | undefined {
    return parseRun(this.#lines.at(row)?.toString("utf8") ?? "");
  }

  #sorted(): number[] {
    const uidOf = (row: number): string => this.#runAt(row)?.uid ?? "";
    return [...this.#rows.values()].sort(
      (a, b) => this.#ended.at(a) - this.#ended.at(b) || (uidOf(a) < uidOf(b) ? -1 : 1),
    );
  }

  #condition(query: HistoryQuery): (row: number) => boolean {
    const { mayShow, namespace, name, states, queue, until = Infinity, after } = query;
    const namespaces = this.#namespaces.matching((one) => (namespace ?? one) === one && mayShow(one));
    const mayBeNamed = name === undefined ? () => true : this.#mayBeNamed(name);
    const queueNumber = queue === undefined ? undefined : (this.#queues.find(queue) ?? -1);
    const wantedStates = states && new Set([...states].map((state) => RUN_STATES.indexOf(state)));
    const latest = Math.min(until - 1, after?.ended ?? Infinity);
    return (row) =>
      this.#ended.at(row) <= latest &&
      namespaces.has(this.#namespace.at(row)) &&
      (wantedStates === undefined || wantedStates.has(this.#state.at(row))) &&
      (queueNumber === undefined || this.#queue.at(row) === queueNumber) &&
      mayBeNamed(row);
  }

  /** Whether the run of a row may have this name, id or driver pod. Only its line says so for certain. */
  #mayBeNamed(pattern: string): (row: number) => boolean {
    const names = this.#names.matching(nameMatcher(pattern));
    if (!pattern.includes("*")) {
      const hash = hashOf(pattern);
      return (row) => names.has(this.#name.at(row)) || this.#id.at(row) === hash || this.#driver.at(row) === hash;
    }
    // As it is written in a line.
    const part = Buffer.from(JSON.stringify(longestPart(pattern)).slice(1, -1));
    return (row) => names.has(this.#name.at(row)) || this.#lines.at(row)?.includes(part) === true;
  }
}

/** Runs that ended at the same time are in the order of their uids. */
function isAfter({ ended, uid }: Run, after: HistoryCursor | undefined): boolean {
  return after === undefined || ended < after.ended || (ended === after.ended && uid < after.uid);
}
