import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { KindlingError, SHUFFLE_STATUS_PATH } from "@kindling/core-spec";
import { VARIABLES } from "./settings.ts";

/** A kubelet asks every few seconds. */
const MOST_CONNECTIONS = 16;
const TIMEOUT_MS = 5_000;

export interface ExecutorProbe {
  readonly port: number;
  stop(): void;
}

/**
 * Answers the kubelet's liveness probe of the executor beside this server: 200 as long as the executor may go on, and 503 when it
 * has to end. The kubelet then ends its container, and the pod stays.
 *
 * @param mustEnd looks whether the executor has to end
 * @throws KindlingError `CONF_INVALID` if the port is taken
 */
export async function answerExecutorProbe(port: number, mustEnd: () => Promise<boolean>): Promise<ExecutorProbe> {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    if (request.method !== "GET" || request.url !== SHUFFLE_STATUS_PATH) {
      response.writeHead(404).end();
      return;
    }
    void mustEnd().then((ends) => {
      response.writeHead(ends ? 503 : 200, { "Content-Type": "text/plain" });
      response.end(ends ? "the executor has to end\n" : "the executor may go on\n");
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  // A closed connection of a kubelet is no news.
  server.on("clientError", (_error, socket) => socket.destroy());
  await listen(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new KindlingError("CONF_INVALID", `port ${port} cannot be opened: ${error.message}`, {
          hint: `set ${VARIABLES.statusPort} to a free port`,
          cause: error,
        }),
      ),
    );
    server.listen(port, () => resolve());
  });
}
