import { once } from "node:events";
import { statSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import * as https from "node:https";
import { onTestFinished } from "vitest";
import type { Certificate } from "@kindling/test-kit/certificates";

export interface WebServer {
  readonly uri: string;
  readonly port: number;
  readonly requests: IncomingMessage[];
  stop(): void;
}

export interface WebServerOptions {
  readonly tls?: Certificate;
  readonly port?: number;
}

/** A server that answers as a test says, on a port of its own. */
export async function webServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { tls, port = 0 }: WebServerOptions = {},
): Promise<WebServer> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    answer(request, response);
  };
  const server = tls === undefined ? createServer(listener) : https.createServer(tls, listener);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    uri: `${tls === undefined ? "http" : "https"}://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    stop,
  };
}

export interface ServedFile {
  readonly bytes: Buffer;
  readonly etag?: string;
  /** Bytes of the body after which the connection is cut. */
  readonly cutAfter?: number;
  /** The file that must have those bytes before the cut: bytes on their way may be lost with the connection. */
  readonly cutOnceIn?: string;
  /** Bytes of the body after which the server sends nothing more. */
  readonly stallAfter?: number;
}

/** Answers with a file, or the requested range of it (RFC 9110, 13.1.5 and 14.2). */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: ServedFile): void {
  const { bytes, etag, cutAfter, cutOnceIn, stallAfter } = file;
  const [, start] = /^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? [];
  const ranged = start !== undefined && request.headers["if-range"] === etag;
  const body = bytes.subarray(ranged ? Number(start) : 0);
  response.writeHead(ranged ? 206 : 200, {
    "content-length": body.length,
    ...(etag !== undefined && { etag }),
    ...(ranged && { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
  });
  if (cutAfter !== undefined) response.write(body.subarray(0, cutAfter), () => cut(response, cutAfter, cutOnceIn));
  else if (stallAfter !== undefined) response.write(body.subarray(0, stallAfter));
  else response.end(body);
}

/** Cuts a connection once a file has this many bytes. */
function cut(response: ServerResponse, bytes: number, file: string | undefined): void {
  const has = file === undefined || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= bytes;
  if (has || response.destroyed) response.destroy();
  else setTimeout(() => cut(response, bytes, file), 5);
}
