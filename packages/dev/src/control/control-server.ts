import { chmodSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { InstanceReport } from "./instance-status.ts";

/** The requests to an instance. */
export interface Controlled {
  status(): Promise<InstanceReport>;
  /** Ends the instance, except for its process. */
  stop(): Promise<void>;
}

/**
 * Serves `GET /status` and `POST /stop` on a socket that only its owner can use. An existing file in its place comes from a
 * killed instance: the caller has locked the state folder.
 */
export async function serveControl(socket: string, controlled: Controlled): Promise<{ close(): void }> {
  rmSync(socket, { force: true });
  const server = createServer((request, response) => {
    answer(request, response, controlled).catch((error: unknown) => {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  chmodSync(socket, 0o600);
  return {
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, controlled: Controlled): Promise<void> {
  response.setHeader("connection", "close");
  const asked = `${request.method} ${request.url}`;
  if (asked === "GET /status") {
    response.end(JSON.stringify(await controlled.status()));
  } else if (asked === "POST /stop") {
    await controlled.stop();
    response.end();
  } else {
    response.writeHead(404).end();
  }
}
