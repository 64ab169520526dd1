import * as http from "node:http";
import * as https from "node:https";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import type { Clock } from "../clock.ts";
import { StagingError } from "../errors.ts";
import { agents } from "./agents.ts";
import { networkError } from "./network-error.ts";
import { guardConnection, literalOutOfReach, type Reach } from "./reach.ts";

/** Certificates as PEM texts. */
export interface TlsOptions {
  /** Whom to trust, instead of Node's own list. */
  readonly ca?: string | readonly string[];
  /** This side's certificate and key, where the server asks for one. */
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must have, where it is not the URI's host. */
  readonly servername?: string;
}

export interface TransportOptions {
  readonly clock: Clock;
  readonly tls: TlsOptions;
  /** Most connections to one host. */
  readonly maxConnections: number;
  /** Time to a ready connection, TLS included. */
  readonly connectTimeoutMs: number;
  /** Longest pause between two bytes while a body is on its way. */
  readonly stallTimeoutMs: number;
  /** Longest wait for an answer after the last byte of the request: a store may have to assemble a large file. */
  readonly answerTimeoutMs: number;
  /** Resolves names for all connections; default: the system's resolver. */
  readonly lookup?: LookupFunction;
  readonly documents?: DocumentLimits | undefined;
  readonly redact?: ((text: string) => string) | undefined;
}

/** How large a JSON document of a server may be that is read into memory. */
export interface DocumentLimits {
  readonly mostBytes: number;
  /** Objects, lists, texts, numbers and so on, one within the other. */
  readonly mostValues: number;
}

const DEFAULT_DOCUMENTS: DocumentLimits = { mostBytes: 16 * 1024 * 1024, mostValues: 4_000_000 };

export interface RequestBody {
  /** In bytes; `undefined` sends it in chunks. */
  readonly length: number | undefined;
  /** A fresh stream of the bytes. */
  open(): Readable;
}

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | Buffer;
  readonly signal?: AbortSignal;
  /** For a host that somebody else has named: which addresses it may be at; default: any. */
  readonly reach?: Reach;
  /** Told how many bytes of the body have been handed to the network, chunk by chunk. */
  readonly onSent?: (bytes: number) => void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Has to be read to its end or destroyed by whoever asked. */
  readonly body: http.IncomingMessage;
}

/** HTTP over kept-alive connections; rejects with a {@link StagingError} for anything but an answer. */
export interface HttpTransport {
  readonly stallTimeoutMs: number;
  readonly clock: Clock;
  readonly documents: DocumentLimits;
  /** Takes secrets out of a server's words, before anything of them is quoted. */
  readonly redact: (text: string) => string;
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): void;
}

export function httpTransport(options: TransportOptions): HttpTransport {
  const pools = agents(options);
  return {
    stallTimeoutMs: options.stallTimeoutMs,
    clock: options.clock,
    documents: options.documents ?? DEFAULT_DOCUMENTS,
    redact: options.redact ?? ((text) => text),
    send(request) {
      const { protocol } = request.url;
      if (protocol !== "http:" && protocol !== "https:") {
        const message = `${request.url.origin}: a staging server is reached over http or https, not ${protocol}`;
        return Promise.reject(new StagingError("protocol", message));
      }
      return exchange(request, pools.for(request.url, request.reach), options);
    },
    close: () => pools.close(),
  };
}

function exchange(request: HttpRequest, agent: http.Agent, options: TransportOptions): Promise<HttpResponse> {
  const { url, method, signal, body, reach } = request;
  const { clock } = options;
  const headers: Record<string, string | number> = { ...request.headers };
  if (Buffer.isBuffer(body)) headers["content-length"] = body.length;
  else if (body?.length !== undefined) headers["content-length"] = body.length;
  else if (body === undefined && method !== "GET" && method !== "HEAD") headers["content-length"] = 0;

  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new StagingError("cancelled", "cancelled"));
      return;
    }
    const unreachable = reach === undefined ? undefined : literalOutOfReach(url, reach);
    if (unreachable !== undefined) {
      reject(unreachable);
      return;
    }
    const outgoing = (url.protocol === "https:" ? https : http).request(url, {
      method,
      agent,
      headers,
    });
    if (reach !== undefined) guardConnection(outgoing, url, reach);
    let source: Readable | undefined;
    const watch = watchProgress(outgoing, options, (error) => outgoing.destroy(error));

    function settle(): void {
      watch.stop();
      signal?.removeEventListener("abort", onAbort);
      source?.destroy();
    }
    const onAbort = (): void => void outgoing.destroy(new StagingError("cancelled", "cancelled"));
    signal?.addEventListener("abort", onAbort, { once: true });

    outgoing.on("error", (error) => {
      settle();
      reject(networkError(error, url));
    });
    outgoing.on("response", (response) => {
      watch.stop();
      // A refusal may come before the body has gone out; the rest of it would only be thrown away, and the connection
      // cannot serve another request.
      const early = !outgoing.writableEnded;
      if (early) source?.destroy();
      response.on("end", () => early && outgoing.destroy());
      response.on("close", settle);
      // Somebody must listen, or a body that nobody reads any more would bring the process down.
      response.on("error", () => undefined);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response });
    });

    if (body === undefined) outgoing.end();
    else if (Buffer.isBuffer(body)) outgoing.end(body, () => request.onSent?.(body.length));
    else {
      source = body.open();
      sendBody(source, outgoing, request.onSent);
    }
    watch.start(clock);
  });
}

function sendBody(source: Readable, outgoing: http.ClientRequest, onSent?: (bytes: number) => void): void {
  source.on("data", (chunk: Buffer) => {
    const room = outgoing.write(chunk, (error) => {
      if (error === undefined || error === null) onSent?.(chunk.length);
    });
    if (!room) {
      source.pause();
      outgoing.once("drain", () => source.resume());
    }
  });
  source.on("end", () => outgoing.end());
  source.on("error", (error) => outgoing.destroy(error));
}

interface ProgressWatch {
  start(clock: Clock): void;
  stop(): void;
}

/** Ends a request whose connection does not come about, whose bytes stop, or whose answer does not come. */
function watchProgress(
  outgoing: http.ClientRequest,
  options: TransportOptions,
  fail: (error: StagingError) => void,
): ProgressWatch {
  let cancel: (() => void) | undefined;
  let lastBytes = -1;
  let lastMove = 0;
  return {
    start(clock) {
      lastMove = clock.monotonic();
      const period = Math.min(options.connectTimeoutMs, options.stallTimeoutMs, options.answerTimeoutMs) / 4;
      const look = (): void => {
        const { socket } = outgoing;
        const connecting = socket === null || socket.connecting || isHandshaking(socket);
        const now = clock.monotonic();
        const bytes = connecting ? -1 : socket.bytesWritten - socket.writableLength;
        // A request that waits for a free connection has no socket; that is this side's doing, not a fault.
        if (bytes !== lastBytes || socket === null) {
          lastBytes = bytes;
          lastMove = now;
        }
        const [limit, what] = connecting
          ? [options.connectTimeoutMs, "no connection"]
          : outgoing.writableFinished
            ? [options.answerTimeoutMs, "no answer"]
            : [options.stallTimeoutMs, "no byte could be sent"];
        if (now - lastMove >= limit) {
          fail(new StagingError("stalled", `${what} within ${Math.round(limit / 1000)} s`, { retryable: true }));
        } else cancel = clock.after(period, look);
      };
      cancel = clock.after(period, look);
    },
    stop: () => cancel?.(),
  };
}

function isHandshaking(socket: object): boolean {
  return "secureConnecting" in socket && socket.secureConnecting === true;
}
