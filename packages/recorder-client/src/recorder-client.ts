import { type CredentialsField, harmlessText } from "@kindling/core-spec";
import {
  discardBody,
  type HttpRequest,
  type HttpResponse,
  type HttpTransport,
  isHttpError,
  readText,
} from "@kindling/http";
import type { Readable } from "node:stream";
import { type KeptEventLog, readKeptEventLog } from "./kept-event-log.ts";
import { linesOf } from "./lines-of.ts";
import { isName } from "./names.ts";
import { type AskedPod, type PodEndSoFar, readPodEnds } from "./pod-ends.ts";
import { parsePodLife } from "./pod-life-text.ts";
import type { PodLife } from "./pod-life.ts";
import { readRecord } from "./read-record.ts";
import { RecorderError } from "./recorder-error.ts";
import { type RunQuery, searchOf } from "./run-query.ts";
import type { RunRecord } from "./run-record.ts";
import { readRun, readUsages } from "./run-text.ts";
import type { Run, Usage } from "./run.ts";
import { parseStage } from "./stage-text.ts";
import type { Stage } from "./stage.ts";

/** How to reach a recorder. */
export interface RecorderAccess {
  /** Its base URI; ends in a slash. */
  readonly uri: URL;
  /** Sends the requests; it is closed with the client. */
  readonly http: HttpTransport;
  /** A token for the recorder, without `Bearer`; `undefined` if it asks for none. */
  readonly token: (() => Promise<string>) | undefined;
  /** The field for the token: a proxy on the way may use `authorization` itself. */
  readonly credentialsField: CredentialsField;
  readonly signal?: AbortSignal | undefined;
}

export interface LogQuery {
  /** Only the last lines. */
  readonly tailLines?: number | undefined;
}

/** What the runs of a group have reserved together. */
export interface GroupUsage {
  /** The queue, the namespace, the name, or the value of the label; missing for runs without one. */
  readonly key?: string;
  readonly runs: number;
  readonly usage: readonly Usage[];
}

/** A part of a list. */
export interface RunPage {
  readonly runs: readonly Run[];
  /** Where the list goes on; missing at its end. */
  readonly next?: string;
}

/** Reads what a recorder keeps, and asks how far it is. All methods reject with a `RecorderError`. */
export interface RecorderClient {
  /** Those first that ended last. Pages are fetched as they are needed. */
  runs(query: RunQuery, pageSize?: number): AsyncGenerator<Run, void>;
  /** One page of that list. @param after the member `next` of the page before; the first page without it */
  runPage(query: RunQuery, limit: number, after?: string): Promise<RunPage>;
  /** The namespaces that something has been kept of, and which the caller may read. */
  namespaces(): Promise<readonly string[]>;
  /** Everything about a run besides its logs and executors. */
  record(uid: string): Promise<RunRecord>;
  /** The driver and the executors of a run. */
  executors(uid: string): AsyncGenerator<PodLife, void>;
  /** Attempts at stages, in their order; none if no event log was kept, or an older recorder has kept it. */
  stages(uid: string): AsyncGenerator<Stage, void>;
  /** The files of a run's event log; `undefined` if none is kept. */
  eventLog(uid: string): Promise<KeptEventLog | undefined>;
  /** A file of the event log. The caller has to read it to its end, or destroy it. */
  eventLogFile(uid: string, name: string): Promise<Readable>;
  /** The lines of a log: `driver`, `executor-17`. */
  log(uid: string, name: string, query?: LogQuery): AsyncGenerator<string, void>;
  /** @param by `queue`, `namespace`, `name`, or `label:KEY` */
  usage(query: RunQuery, by: string): Promise<readonly GroupUsage[]>;
  /**
   * Waits until the ends of executors are recorded, so that their pods may be deleted; 4 s at most. When the ends of some of them
   * are known, it does not wait long for the others: these are `open`, and may be asked about again. At most `MOST_ASKED_PODS`
   * at once, of namespaces in which the caller may delete pods.
   *
   * @param timeoutMs when the recorder counts as away
   * @returns by uid
   */
  podEnds(pods: readonly AskedPod[], timeoutMs?: number): Promise<ReadonlyMap<string, PodEndSoFar>>;
  close(): void;
}

const LONGEST_BYTES = 32 * 1024 * 1024;
const LONGEST_PROBLEM_BYTES = 16 * 1024;
const PAGE_SIZE = 500;

/** A client of a recorder. Opens no connection until it is used. */
export function connectRecorder(access: RecorderAccess): RecorderClient {
  const { http } = access;
  return {
    async *runs(query, pageSize = PAGE_SIZE) {
      let after: string | undefined;
      do {
        const { runs, next } = await runPage(access, query, pageSize, after);
        yield* runs;
        after = next;
      } while (after !== undefined);
    },
    runPage: (query, limit, after) => runPage(access, query, limit, after),
    async namespaces() {
      const names = listAt(await readJson(access, "namespaces"), "namespaces");
      return names.flatMap((name) => (typeof name === "string" && isName(name) ? [name] : []));
    },
    async record(uid) {
      const record = readRecord(await readJson(access, `runs/${encodeURIComponent(uid)}`));
      if (record === undefined) throw unknownAnswer(access.uri);
      return record;
    },
    executors: (uid) => records(access, `runs/${encodeURIComponent(uid)}/executors`, parsePodLife),
    stages: (uid) => records(access, `runs/${encodeURIComponent(uid)}/stages`, parseStage),
    async eventLog(uid) {
      try {
        const kept = readKeptEventLog(await readJson(access, `runs/${encodeURIComponent(uid)}/event-log`));
        if (kept === undefined) throw unknownAnswer(access.uri);
        return kept;
      } catch (error) {
        if (error instanceof RecorderError && error.status === 404) return undefined;
        throw error;
      }
    },
    async eventLogFile(uid, name) {
      return (await ask(access, `runs/${encodeURIComponent(uid)}/event-log/${encodeURIComponent(name)}`)).body;
    },
    async *log(uid, name, { tailLines } = {}) {
      const tail = tailLines === undefined ? "" : `?tailLines=${tailLines}`;
      yield* lines(await ask(access, `runs/${encodeURIComponent(uid)}/logs/${encodeURIComponent(name)}${tail}`));
    },
    async usage(query, by) {
      const answer = await readJson(access, `usage?${searchOf(query, { by })}`);
      return listAt(answer, "groups").flatMap(groupUsage);
    },
    async podEnds(pods, timeoutMs) {
      const asked = pods.map(({ namespace, name, uid, running }) => ({ namespace, name, uid, running }));
      const body = JSON.stringify({ pods: asked, waitFor: "some" });
      return readPodEnds(await readJson(access, "pods/ends", { method: "POST", body, timeoutMs }));
    },
    close: () => http.close(),
  };
}

async function runPage(access: RecorderAccess, query: RunQuery, limit: number, after?: string): Promise<RunPage> {
  const page = await readJson(access, `runs?${searchOf(query, { limit: String(limit), continue: after })}`);
  const next = memberOf(page, "continue");
  const runs = listAt(page, "runs").flatMap((value) => readRun(value) ?? []);
  return { runs, ...(typeof next === "string" && { next }) };
}

type Question = Pick<HttpRequest, "method" | "timeoutMs"> & { readonly body?: string };

async function ask(
  { uri, http, token, credentialsField, signal }: RecorderAccess,
  path: string,
  question: Question = { method: "GET" },
): Promise<HttpResponse> {
  const url = new URL(`api/v1/${path}`, uri);
  const credentials = token === undefined ? {} : { [credentialsField]: `Bearer ${await token()}` };
  const type = question.body === undefined ? {} : { "content-type": "application/json" };
  let response: HttpResponse;
  try {
    response = await http.send({ ...question, url, headers: { accept: "*/*", ...type, ...credentials }, signal });
  } catch (error) {
    throw unreachable(error);
  }
  if (response.status === 200) return response;
  throw await refusal(response);
}

async function* lines(response: HttpResponse): AsyncGenerator<string, void> {
  try {
    yield* linesOf(response.body);
  } catch (error) {
    throw unreachable(error);
  } finally {
    discardBody(response);
  }
}

/** What is in the lines of an answer; lines with something else are left out. */
async function* records<T>(
  access: RecorderAccess,
  path: string,
  parse: (line: string) => T | undefined,
): AsyncGenerator<T, void> {
  for await (const line of lines(await ask(access, path))) {
    const record = parse(line);
    if (record !== undefined) yield record;
  }
}

async function readJson(access: RecorderAccess, path: string, question?: Question): Promise<unknown> {
  const response = await ask(access, path, question);
  let text: string;
  try {
    text = await readText(response, { mostBytes: LONGEST_BYTES });
  } catch (error) {
    throw unreachable(error);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw unknownAnswer(access.uri);
  }
}

function unreachable(error: unknown): unknown {
  if (!isHttpError(error)) return error;
  if (error.kind === "aborted") return new RecorderError("interrupted", { cause: error });
  return new RecorderError(`the recorder does not answer: ${harmlessText(error.message)}`, {
    hint: error.hint,
    cause: error,
  });
}

/** A problem document of the recorder, or the Status of an API server in between. */
async function refusal(response: HttpResponse): Promise<RecorderError> {
  const { status } = response;
  const text = await readText(response, { mostBytes: LONGEST_PROBLEM_BYTES }).catch(() => "");
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    document = undefined;
  }
  const detail = memberOf(document, "detail") ?? memberOf(document, "message");
  const hint = memberOf(document, "hint");
  return new RecorderError(typeof detail === "string" ? harmlessText(detail) : `it answers with status ${status}`, {
    status,
    hint: typeof hint === "string" ? harmlessText(hint) : undefined,
  });
}

function unknownAnswer({ origin }: URL): RecorderError {
  return new RecorderError(`${origin} does not answer as a recorder does`, {
    hint: "check spark.kindling.recorder.uri",
  });
}

function groupUsage(value: unknown): GroupUsage[] {
  const key = memberOf(value, "key");
  const runs = memberOf(value, "runs");
  if (typeof runs !== "number") return [];
  return [{ ...(typeof key === "string" && { key }), runs, usage: readUsages(memberOf(value, "usage")) }];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list : [];
}
