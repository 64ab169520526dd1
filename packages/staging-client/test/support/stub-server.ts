import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as the stub saw it, with its whole body. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export interface StubServer {
  readonly uri: string;
  readonly requests: readonly SeenRequest[];
}

/** Answers a request; called when all of its body has come. */
export type Answer = (request: SeenRequest, response: ServerResponse) => void;

/** A server that does what a test says, over TLS if it gets a certificate. */
export async function stubServer(answer: Answer, tls?: ServerOptions): Promise<StubServer> {
  const requests: SeenRequest[] = [];
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const seen = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      requests.push(seen);
      answer(seen, response);
    });
  };
  const server = tls === undefined ? createServer(serve) : createSecureServer(tls, serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const scheme = tls === undefined ? "http" : "https";
  return { uri: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function sendProblem(response: ServerResponse, status: number, name: string, more: object = {}): void {
  const type = name.startsWith("https:") ? name : `urn:kindling:staging:${name}`;
  response.writeHead(status, { "content-type": "application/problem+json" });
  response.end(
    JSON.stringify({
      type,
      title: name,
      status,
      detail: `because of ${name}`,
      retryable: status >= 500 && status !== 507,
      ...more,
    }),
  );
}
