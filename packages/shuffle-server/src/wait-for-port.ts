import { connect } from "node:net";
import { KindlingError } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";

const PAUSE_MS = 20;

/**
 * Waits until a port of this machine accepts connections.
 *
 * @throws KindlingError `CONF_INVALID` if it does not in time
 */
export async function waitForPort(port: number, mostMs: number, clock: Clock): Promise<void> {
  const end = clock.monotonic() + mostMs;
  while (!(await accepts(port))) {
    if (clock.monotonic() >= end) {
      throw new KindlingError("CONF_INVALID", `nothing answers on port ${port} after ${Math.round(mostMs / 1000)} s`, {
        hint: "the log of the container kindling-shuffle-server says why",
      });
    }
    await new Promise<void>((resolve) => clock.after(PAUSE_MS, resolve));
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", end(true));
    socket.once("error", end(false));
  });
}
