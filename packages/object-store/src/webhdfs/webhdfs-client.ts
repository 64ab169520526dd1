import { discardBody, readText, type HttpResponse } from "@kindling/http";
import type { Readable } from "node:stream";
import { storeError } from "../connection.ts";
import { ObjectStoreError } from "../object-store-error.ts";
import { parseAnswer, parseStatus, type HdfsStatus } from "./file-status.ts";
import { nameNodes, type HdfsCall, type NameNodesOptions } from "./name-nodes.ts";

/** The bytes from `start` on, to its end or up to, not including, `end`. */
export interface FileRange {
  readonly start: number;
  readonly end?: number;
}

/**
 * WebHDFS and HttpFS (Hadoop, "WebHDFS REST API"). Paths are absolute and not encoded. Rejects with an
 * `ObjectStoreError`: with the fault `not-found` for a file or a directory that does not exist.
 */
export interface WebHdfsClient {
  status(path: string, signal?: AbortSignal): Promise<HdfsStatus>;
  list(path: string): Promise<readonly HdfsStatus[]>;
  makeDirectory(path: string): Promise<void>;
  /** Fails if the file is there already. A stream is sent once; bytes in memory are sent again if the failure may pass. */
  create(path: string, body: Readable | Buffer): Promise<void>;
  open(path: string, range: FileRange, signal?: AbortSignal): Promise<HttpResponse>;
  /** Atomic; `false` if the target exists, or if the source or the target's directory does not exist. */
  rename(from: string, to: string): Promise<boolean>;
  /** Appends files to another one; they are gone afterwards. */
  concat(target: string, sources: readonly string[]): Promise<void>;
  /** `false` if there was nothing to delete. */
  delete(path: string, options?: { readonly recursive?: boolean }): Promise<boolean>;
  /** The name node's time in milliseconds since the epoch, from its last answer. */
  serverTime(): number;
}

// A status takes some 300 bytes; the listing of a directory is one answer.
const MOST_ANSWER_BYTES = 64 * 1024;
const MOST_LISTING_BYTES = 128 * 1024 * 1024;

export function webHdfsClient(options: NameNodesOptions): WebHdfsClient {
  const { clock } = options.connection;
  let time: { readonly server: number; readonly at: number } = { server: 0, at: 0 };
  const send = nameNodes(options, ({ headers }) => {
    const server = Date.parse(headers.date ?? "");
    if (!Number.isNaN(server)) time = { server, at: clock.monotonic() };
  });

  async function ask<T>(call: HdfsCall, member: string, parse: (value: unknown) => T | undefined): Promise<T> {
    const response = await send(call);
    let text: string;
    try {
      text = await readText(response, { mostBytes: call.op === "LISTSTATUS" ? MOST_LISTING_BYTES : MOST_ANSWER_BYTES });
    } catch (error) {
      throw storeError(error);
    }
    const answer = parse(parseAnswer(text, member));
    if (answer !== undefined) return answer;
    throw new ObjectStoreError("protocol", `${response.url.host}: the answer to ${call.op} is no WebHDFS answer`, {
      hint: "is this the address of a WebHDFS or HttpFS service?",
    });
  }

  return {
    serverTime: () => time.server + clock.monotonic() - time.at,
    status: (path, signal) => ask({ method: "GET", op: "GETFILESTATUS", path, signal }, "FileStatus", parseStatus),
    list: (path) =>
      ask({ method: "GET", op: "LISTSTATUS", path }, "FileStatuses", (value) => {
        const statuses = parseList(value)?.map(parseStatus);
        return statuses?.every((status) => status !== undefined) === true ? statuses : undefined;
      }),
    async makeDirectory(path) {
      await ask({ method: "PUT", op: "MKDIRS", path, query: { permission: "700" } }, "boolean", parseBoolean);
    },
    async create(path, body) {
      const query = { overwrite: "false", permission: "600" };
      discardBody(await send({ method: "PUT", op: "CREATE", path, query, body }));
    },
    async open(path, { start, end }, signal) {
      const query = { offset: String(start), ...(end !== undefined && { length: String(end - start) }) };
      return await send({ method: "GET", op: "OPEN", path, query, signal });
    },
    rename: (path, destination) =>
      ask({ method: "PUT", op: "RENAME", path, query: { destination } }, "boolean", parseBoolean),
    async concat(path, sources) {
      discardBody(await send({ method: "POST", op: "CONCAT", path, query: { sources: sources.join(",") } }));
    },
    delete: (path, { recursive = false } = {}) =>
      ask({ method: "DELETE", op: "DELETE", path, query: { recursive: String(recursive) } }, "boolean", parseBoolean),
  };
}

function parseBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function parseList(value: unknown): readonly unknown[] | undefined {
  const list = typeof value === "object" && value !== null && "FileStatus" in value ? value.FileStatus : undefined;
  return Array.isArray(list) ? list : undefined;
}
