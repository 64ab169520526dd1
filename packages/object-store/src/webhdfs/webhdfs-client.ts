import type { Readable } from "node:stream";
import {
  isStagingError,
  sleep,
  type Clock,
  type HttpRequest,
  type HttpResponse,
  type HttpTransport,
} from "@kindling/staging-client";
import { matchesNamespace as matchesPattern } from "../../auth/namespace-pattern.ts";
import { StoreError } from "../store-error.ts";

export interface HdfsCredentials {
  /** Query parameters: `user.name`, or `delegation`. */
  readonly query: Readonly<Record<string, string>>;
  /** Value of `Authorization` for the endpoint itself. */
  readonly authorization: string | undefined;
}

export interface HdfsClientOptions {
  /** Name nodes or gateways; the first one that is active is used. */
  readonly endpoints: readonly URL[];
  /** Hosts that they may send this client to, besides themselves; `*` stands for any characters. */
  readonly dataHosts: readonly string[];
  readonly credentials: () => Promise<HdfsCredentials>;
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly random: () => number;
}

export interface HdfsStatus {
  /** Empty for the path asked about, a name for one in a listing. */
  readonly name: string;
  readonly type: "FILE" | "DIRECTORY";
  readonly length: number;
  readonly fileId: number;
  /** Milliseconds since the epoch, by the name node's clock. */
  readonly modified: number;
}

/** WebHDFS (Hadoop, "WebHDFS REST API"). Paths are absolute. Rejects with a `StoreError`. */
export interface HdfsClient {
  status(path: string): Promise<HdfsStatus | undefined>;
  /** `undefined` if there is no such directory. */
  list(path: string): Promise<readonly HdfsStatus[] | undefined>;
  makeDirectory(path: string): Promise<void>;
  /** Fails if the file is there already. */
  create(path: string, body: Readable | Buffer): Promise<void>;
  open(path: string, range: { readonly start: number; readonly end: number }): Promise<HttpResponse | undefined>;
  /** Atomic; `false` if the target is there, or the source or the target's directory is not. */
  rename(from: string, to: string): Promise<boolean>;
  /** Puts files behind another one; they are gone afterwards. */
  concat(target: string, sources: readonly string[]): Promise<void>;
  delete(path: string, options?: { readonly recursive?: boolean }): Promise<boolean>;
  /** The name node's time, milliseconds since the epoch; as of its last answer. */
  serverTime(): number;
}

const ATTEMPTS = 6;
const BASE_MS = 100;
const CAP_MS = 5_000;

export function hdfsClient(options: HdfsClientOptions): HdfsClient {
  const { endpoints, transport, clock, random } = options;
  let active = 0;
  let time: { readonly server: number; readonly at: number } = { server: 0, at: 0 };

  function urlOf(path: string, op: string, query: Readonly<Record<string, string>>, credentials: HdfsCredentials): URL {
    const endpoint = endpoints[active % endpoints.length] ?? new URL("http://no-endpoint.invalid/");
    const url = new URL(endpoint);
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    url.pathname = `${endpoint.pathname.replace(/\/$/, "")}/webhdfs/v1${encoded}`;
    for (const [name, value] of Object.entries({ op, ...credentials.query, ...query }))
      url.searchParams.set(name, value);
    return url;
  }

  async function once(call: HdfsCall, onBody: () => void): Promise<HttpResponse> {
    const credentials = await options.credentials();
    const url = urlOf(call.path, call.op, call.query ?? {}, credentials);
    const { authorization } = credentials;
    const response = await transport.send({
      method: call.method,
      url,
      headers: authorization === undefined ? {} : { authorization },
    });
    const date = Date.parse(response.headers.date ?? "");
    if (!Number.isNaN(date)) time = { server: date, at: clock.monotonic() };
    const { location } = response.headers;
    if (location === undefined || response.status < 300 || response.status > 399) return response;
    response.body.resume();
    onBody();
    return await atDataNode(call, new URL(location, url), url, authorization);
  }

  /**
   * The second step of reading and writing: the bytes are at another server. It has to be one that is expected, and does
   * not get credentials that were meant for the first; what it needs, the name node has put into the address.
   */
  async function atDataNode(call: HdfsCall, target: URL, from: URL, authorization?: string): Promise<HttpResponse> {
    const own = target.origin === from.origin;
    const named = matchesPattern(target.hostname, options.dataHosts) || matchesPattern(target.host, options.dataHosts);
    if ((!own && !named) || !/^https?:$/.test(target.protocol)) {
      throw new StoreError("unavailable", `HDFS leads to ${target.host}, which store.webhdfs.dataHosts does not name`);
    }
    const { body } = call;
    const request: HttpRequest = {
      method: call.method,
      url: target,
      headers: {
        ...(own && authorization !== undefined && { authorization }),
        ...(body !== undefined && { "content-type": "application/octet-stream" }),
      },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : { length: undefined, open: () => body } }),
    };
    return await transport.send(request);
  }

  /** Repeats a call that can be repeated, at the next name node where one is not active. */
  async function call(request: HdfsCall): Promise<HttpResponse> {
    const isStream = request.body !== undefined && !Buffer.isBuffer(request.body);
    let bodyGone = false;
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await once(request, () => (bodyGone = isStream));
        if (response.status < 300 || request.accept?.includes(response.status) === true) return response;
        throw await failure(request, response);
      } catch (error) {
        const problem = asStoreError(error);
        if (!(problem instanceof PassingError) || attempt === ATTEMPTS || bodyGone) throw problem;
        active++;
        await sleep(clock, random() * Math.min(CAP_MS, BASE_MS * 2 ** attempt));
      }
    }
  }

  async function json(request: HdfsCall): Promise<unknown> {
    const response = await call(request);
    if (response.status === 404) {
      response.body.resume();
      return undefined;
    }
    return JSON.parse(await readText(response)) as unknown;
  }

  return {
    serverTime: () => time.server + clock.monotonic() - time.at,
    async status(path) {
      const answer = await json({ method: "GET", op: "GETFILESTATUS", path, accept: [404] });
      return answer === undefined ? undefined : statusOf((answer as { FileStatus: RawStatus }).FileStatus);
    },
    async list(path) {
      const answer = await json({ method: "GET", op: "LISTSTATUS", path, accept: [404] });
      if (answer === undefined) return undefined;
      return (answer as { FileStatuses: { FileStatus: RawStatus[] } }).FileStatuses.FileStatus.map(statusOf);
    },
    async makeDirectory(path) {
      await json({ method: "PUT", op: "MKDIRS", path, query: { permission: "700" } });
    },
    async create(path, body) {
      const query = { overwrite: "false", permission: "600" };
      const response = await call({ method: "PUT", op: "CREATE", path, query, body });
      response.body.resume();
    },
    async open(path, { start, end }) {
      const query = { offset: String(start), length: String(end - start) };
      const response = await call({ method: "GET", op: "OPEN", path, query, accept: [404] });
      if (response.status !== 404) return response;
      response.body.resume();
      return undefined;
    },
    async rename(from, to) {
      const answer = await json({ method: "PUT", op: "RENAME", path: from, query: { destination: to }, accept: [404] });
      return answer !== undefined && (answer as { boolean: boolean }).boolean;
    },
    async concat(target, sources) {
      const response = await call({
        method: "POST",
        op: "CONCAT",
        path: target,
        query: { sources: sources.join(",") },
      });
      response.body.resume();
    },
    async delete(path, { recursive = false } = {}) {
      const answer = await json({
        method: "DELETE",
        op: "DELETE",
        path,
        query: { recursive: String(recursive) },
        accept: [404],
      });
      return answer !== undefined && (answer as { boolean: boolean }).boolean;
    },
  };
}

interface HdfsCall {
  readonly method: HttpRequest["method"];
  readonly op: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readable | Buffer;
  /** Statuses besides successes that the caller understands. */
  readonly accept?: readonly number[];
}

interface RawStatus {
  readonly pathSuffix: string;
  readonly type: HdfsStatus["type"];
  readonly length: number;
  readonly fileId: number;
  readonly modificationTime: number;
}

function statusOf({ pathSuffix, type, length, fileId, modificationTime }: RawStatus): HdfsStatus {
  return { name: pathSuffix, type, length, fileId, modified: modificationTime };
}

/** A failure that may pass, or that another name node does not have. */
class PassingError extends StoreError {}

function asStoreError(error: unknown): unknown {
  if (!isStagingError(error)) return error;
  const message = `HDFS cannot be reached: ${error.message}`;
  return error.retryable
    ? new PassingError("unavailable", message, error)
    : new StoreError("unavailable", message, error);
}

const PASSING: ReadonlySet<string> = new Set(["StandbyException", "RetriableException", "SafeModeException"]);
const FULL: ReadonlySet<string> = new Set([
  "DSQuotaExceededException",
  "NSQuotaExceededException",
  "QuotaExceededException",
]);

async function failure({ op, path }: HdfsCall, response: HttpResponse): Promise<StoreError> {
  const text = await readText(response).catch(() => "");
  const [, exception = `status ${response.status}`] = /"exception"\s*:\s*"(\w+)"/.exec(text) ?? [];
  const what = `HDFS answered ${exception} to ${op} ${path}`;
  if (FULL.has(exception)) return new StoreError("no-space", what);
  const passing = PASSING.has(exception) || response.status >= 500;
  return passing ? new PassingError("unavailable", what) : new StoreError("unavailable", what);
}

async function readText({ body }: HttpResponse): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw new PassingError("unavailable", "HDFS broke off its answer", error);
  }
  return Buffer.concat(chunks).toString("utf8");
}
