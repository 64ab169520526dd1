import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Duplex, Readable } from "node:stream";
import type { Reach } from "../addresses/reach.ts";

export interface RequestBody {
  /** In bytes; if it is `undefined`, the body is sent in chunks. */
  readonly length: number | undefined;
  /** A new stream of the bytes. */
  open(): Readable;
}

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  /** Path and query, sent unchanged instead of the URL's own: a `URL` removes `..` and `%2e%2e` from its path. */
  readonly path?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: RequestBody | Buffer | string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the answer's last byte, from now on, instead of any other time limit; may be infinite. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the transport's limit for this request. */
  readonly answerTimeoutMs?: number | undefined;
  readonly stallTimeoutMs?: number | undefined;
  /** For a host that another server has named: which addresses it may have; default: any. */
  readonly reach?: Reach | undefined;
  /** Without any proxy: for services that only this machine or its local link can reach, such as a cloud's metadata service. */
  readonly direct?: boolean | undefined;
  /** Whether the server may answer with another protocol (RFC 9110, 7.8). The headers have to say which one. */
  readonly upgrade?: boolean | undefined;
  /** Called for each chunk with the number of bytes of the body that were passed to the network. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** The beginning of an answer. Redirects are answers like any other. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * The caller has to read it to its end or destroy it. It fails with an HttpError if the signal aborts, if no byte comes
   * for too long, or if the time is up; otherwise with Node's own error (`connectionFault` makes an HttpError of that).
   */
  readonly body: IncomingMessage;
  readonly url: URL;
  /** The server's address; undefined behind a proxy. */
  readonly remoteAddress: string | undefined;
  /** The proxy that got the request instead of the server (plain http): the answer may be the proxy's own. */
  readonly proxy: string | undefined;
  /** The connection, if the answer is 101: the caller has to end it. It also ends with the signal, and with the transport. */
  readonly upgraded?: Duplex | undefined;
}
