import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isKindlingError, KindlingError, messageOf } from "@kindling/core-spec";
import { ForwardingError, isKubeError } from "@kindling/kube";

const HERE = "127.0.0.1";

export interface ForwardedPortOptions {
  /** Connects to a port of a pod, for each connection to the port of this machine. */
  readonly open: () => Promise<Duplex>;
  /** The port of this machine: this one alone, or this one if it is free. */
  readonly own: { readonly port: number; readonly isFixed: boolean };
  /** Called if a connection to the pod fails. */
  readonly onFault: (error: unknown) => void;
}

/** A port of this machine that leads to one of a pod. */
export interface PortHere {
  readonly port: number;
  /** Its host and its port. */
  readonly address: string;
  close(): void;
}

/**
 * Lets programs of this machine connect to a port of a pod, as `kubectl port-forward` does. Only this machine reaches it.
 *
 * @throws KindlingError `ARGUMENT_INVALID` if the port of this machine is taken
 */
export async function forwardPort(options: ForwardedPortOptions): Promise<PortHere> {
  const { open: openConnection, own, onFault } = options;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    void forward(socket);
  });

  async function forward(socket: Socket): Promise<void> {
    try {
      const inPod = await openConnection();
      await pipeline(socket, inPod, socket);
    } catch (error) {
      // A connection that one side ends early is no fault.
      if (isKubeError(error) || isKindlingError(error) || error instanceof ForwardingError) onFault(error);
    } finally {
      socket.destroy();
    }
  }

  const port = await listen(server, own);
  return {
    port,
    address: `${HERE}:${port}`,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

async function listen(server: Server, { port, isFixed }: ForwardedPortOptions["own"]): Promise<number> {
  try {
    return await listenAt(server, port);
  } catch (error) {
    if (!isFixed) return await listenAt(server, 0);
    throw new KindlingError("ARGUMENT_INVALID", `--port ${port}: ${messageOf(error)}`, {
      hint: "name another port, or leave --port out",
      cause: error,
    });
  }
}

function listenAt(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HERE, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
