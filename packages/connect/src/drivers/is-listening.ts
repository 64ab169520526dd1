import { connect } from "node:net";
import type { DriverAddress } from "./driver-connections.ts";

const PATIENCE_MS = 1000;

/** Whether a server accepts connections at an address. */
export function isListening({ host, port }: DriverAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS });
    const end = (listens: boolean): void => {
      socket.destroy();
      resolve(listens);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}
