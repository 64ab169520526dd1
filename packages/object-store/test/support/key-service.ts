import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface KeyService {
  readonly url: string;
  readonly requests: readonly { readonly request: IncomingMessage; readonly body: string }[];
}

/** A server on this machine in the role of one of AWS's services. */
export async function keyService(listener: RequestListener): Promise<KeyService> {
  const requests: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      requests.push({ request, body });
      listener(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
