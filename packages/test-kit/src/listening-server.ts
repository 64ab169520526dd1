import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface ListeningServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Makes a server listen on its own port of this machine; it is closed when the test ends, if not before. */
export async function listening(server: Server): Promise<ListeningServer> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, close };
}
