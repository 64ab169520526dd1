import type { ServerResponse } from "node:http";
import type { ServerOptions } from "node:https";
import { startStub, type Answer, type StubServer as Stub } from "@kindling/test-kit/stub-server";

export interface StubServer extends Pick<Stub, "requests"> {
  /** Its base URI, with a slash at the end. */
  readonly uri: string;
}

/** A staging server with answers from the test, over TLS if it gets a certificate. */
export async function stubServer(answer: Answer, tls?: ServerOptions): Promise<StubServer> {
  const { url, requests } = await startStub(answer, tls);
  return { uri: `${url}/`, requests };
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
