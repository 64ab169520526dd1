import type { Clock } from "@kindling/outside";
import type { Connection } from "./connection.ts";
import { peerKey, type TcpQueues } from "./tcp-queues.ts";

export interface ReaderWatchOptions {
  readonly connections: () => Iterable<Connection>;
  readonly clock: Clock;
  /** How long a reader may go without taking a byte. */
  readonly stallSeconds: number;
  /** Bytes that peers have not acknowledged yet; `undefined` if the system does not say. */
  readonly queues: () => Promise<TcpQueues | undefined>;
  readonly onCut: () => void;
}

export interface ReaderWatch {
  close(): void;
}

const MOST_BETWEEN_LOOKS_MS = 5_000;

/**
 * Ends connections whose reader does not read the data that waits for it.
 *
 * A reader makes progress when its side takes bytes, however few. Node sees the end of a write only when the kernel has taken
 * all of it, and the kernel has room for megabytes: with a slow reader this happens only every few minutes. So connections
 * that seem to stand still are looked up in the kernel's own table, all together, once for each check. If there is no such
 * table, only Node's information is used.
 */
export function watchReaders(options: ReaderWatchOptions): ReaderWatch {
  const { clock, connections, queues, onCut } = options;
  const stallMs = options.stallSeconds * 1000;
  let closed = false;
  let cancel: () => void = () => undefined;

  async function look(): Promise<void> {
    const still: Connection[] = [];
    for (const connection of connections()) {
      const moved = connection.look(clock.monotonic());
      if (!moved && connection.requests > 0 && connection.socket.writableLength > 0) still.push(connection);
    }
    const table = still.length === 0 ? undefined : await queues();
    const now = clock.monotonic();
    for (const connection of still) {
      const { remoteAddress, remotePort = 0 } = connection.socket;
      if (remoteAddress !== undefined) connection.look(now, table?.get(peerKey(remoteAddress, remotePort)));
      if (connection.stillFor(now, stallMs) < stallMs) continue;
      onCut();
      connection.cut();
    }
  }

  function schedule(): void {
    if (closed) return;
    cancel = clock.after(Math.min(stallMs / 4, MOST_BETWEEN_LOOKS_MS), () => {
      // If a check fails, the next one follows soon.
      void look()
        .catch(() => undefined)
        .finally(schedule);
    });
  }

  schedule();
  return {
    close() {
      closed = true;
      cancel();
    },
  };
}
