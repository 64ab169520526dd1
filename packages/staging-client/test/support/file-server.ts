import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { onTestFinished } from "vitest";

export interface FileServer {
  readonly url: URL;
  readonly requests: IncomingMessage[];
}

/** A server on a free port that answers as a test says. */
export async function fileServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FileServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: new URL(`http://127.0.0.1:${address.port}/file`), requests };
}

export interface ServedFile {
  readonly bytes: Buffer;
  readonly etag?: string;
  /** Bytes of the body after which the connection is cut. */
  readonly cutAfter?: number;
  /** When to cut, if not at once: Node may drop received bytes if the connection breaks before they are read. */
  readonly cutWhen?: Promise<void>;
  /** Sends the range of the current file, whatever `If-Range` says, as S3 does. */
  readonly ignoresIfRange?: boolean;
}

/** Answers with a file, or with the requested range of it (RFC 9110, 13.1.5 and 14.2). */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: ServedFile): void {
  const { bytes, etag, cutAfter, cutWhen } = file;
  const { range, "if-range": condition } = request.headers;
  const [, start] = /^bytes=(\d+)-$/.exec(range ?? "") ?? [];
  const ranged = start !== undefined && (file.ignoresIfRange === true || condition === etag);
  const body = bytes.subarray(ranged ? Number(start) : 0);
  response.writeHead(ranged ? 206 : 200, {
    "content-length": body.length,
    ...(etag !== undefined && { etag }),
    ...(ranged && { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
  });
  if (cutAfter === undefined) response.end(body);
  else response.write(body.subarray(0, cutAfter), () => void Promise.resolve(cutWhen).then(() => response.destroy()));
}
