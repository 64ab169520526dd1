import { createServer, type AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import type { TestNamespace } from "./test-cluster.ts";

/** A port of this machine that leads to one of a pod. */
export interface Forwarded {
  readonly port: number;
  stop(): void;
}

/** Lets programs of this machine connect to a port of a pod, as `kubectl port-forward` does. */
export async function forwarded(namespace: TestNamespace, pod: string, port: number): Promise<Forwarded> {
  const ended = new AbortController();
  const server = createServer((socket) => {
    const through = async (): Promise<void> => {
      const inPod = await namespace.client.portForward(pod, port, { signal: ended.signal });
      await pipeline(socket, inPod, socket);
    };
    // The program sees that its connection ends.
    through().catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    port: own,
    stop() {
      ended.abort();
      server.close();
    },
  };
}
