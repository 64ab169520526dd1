import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Reach } from "../addresses/reach.ts";

export interface RequestBody {
  /** In bytes; `undefined` sends it in chunks. */
  readonly length: number | undefined;
  /** A fresh stream of the bytes. */
  open(): Readable;
}

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  /** Path and query, sent as they are in the place of the URL's own: a `URL` takes `..` and `%2e%2e` out of its path. */
  readonly path?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: RequestBody | Buffer | string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the answer's last byte, from now on, instead of any other limit of time; may be infinite. */
  readonly timeoutMs?: number | undefined;
  /** The transport's own, for this request. */
  readonly answerTimeoutMs?: number | undefined;
  readonly stallTimeoutMs?: number | undefined;
  /** For a host that somebody else has named: which addresses it may be at; default: any. */
  readonly reach?: Reach | undefined;
  /** Past any proxy: for what only this machine or its own wire can answer, such as a cloud's metadata service. */
  readonly direct?: boolean | undefined;
  /** Told how many bytes of the body have been handed to the network, chunk by chunk. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** The beginning of an answer. Redirects are answers like any other. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * Has to be read to its end or destroyed by whoever asked. Breaks with an HttpError when the signal aborts, no byte
   * comes for too long, or the time is up; otherwise with Node's own error (`connectionFault` puts that into words).
   */
  readonly body: IncomingMessage;
  readonly url: URL;
  /** The server's address; undefined behind a proxy. */
  readonly remoteAddress: string | undefined;
  /** The proxy that was asked in the server's place (plain http): the answer may be its own. */
  readonly proxy: string | undefined;
}
