import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "@kindling/outside";

export interface SendingLimits {
  readonly connectTimeoutMs: number;
  readonly stallTimeoutMs: number;
  readonly answerTimeoutMs: number;
}

export interface SendingWatch {
  /** Whether any byte of the request was sent. */
  hasSent(): boolean;
  stop(): void;
}

/**
 * Calls back when the connection of a request is not made, its bytes stop, or its answer does not come, each within its
 * limit. A request that waits for a free connection has no socket yet; that is no fault.
 */
export function watchSending(
  outgoing: ClientRequest,
  secure: boolean,
  limits: SendingLimits,
  clock: Clock,
  onLate: (phase: "connect" | "send" | "answer", milliseconds: number) => void,
): SendingWatch {
  let cancel: () => void = () => undefined;
  let stopped = false;
  let socket: Socket | undefined;
  let connected = false;
  let writtenBefore = 0;

  const wait = (milliseconds: number, callback: () => void): void => {
    cancel();
    if (!stopped && Number.isFinite(milliseconds)) cancel = clock.after(milliseconds, callback);
  };
  const limit = (phase: "connect" | "answer", milliseconds: number): void =>
    wait(milliseconds, () => onLate(phase, milliseconds));

  /** Checks at every quarter of the limit, because there is no event for sent bytes. */
  function watchBytes(lastBytes: number, since: number): void {
    const { stallTimeoutMs } = limits;
    wait(stallTimeoutMs / 4, () => {
      const bytes = socket === undefined ? 0 : socket.bytesWritten - socket.writableLength;
      const now = clock.monotonic();
      if (bytes !== lastBytes) watchBytes(bytes, now);
      else if (now - since >= stallTimeoutMs) onLate("send", stallTimeoutMs);
      else watchBytes(bytes, since);
    });
  }

  const ready = (): void => {
    connected = true;
    if (outgoing.writableFinished) limit("answer", limits.answerTimeoutMs);
    else watchBytes(-1, clock.monotonic());
  };
  outgoing.on("socket", (assigned: Socket) => {
    socket = assigned;
    writtenBefore = assigned.bytesWritten;
    if (outgoing.reusedSocket || (!secure && !assigned.connecting)) ready();
    else {
      limit("connect", limits.connectTimeoutMs);
      assigned.once(secure ? "secureConnect" : "connect", ready);
    }
  });
  outgoing.on("finish", () => {
    if (connected) limit("answer", limits.answerTimeoutMs);
  });
  return {
    hasSent: () => connected && socket !== undefined && socket.bytesWritten > writtenBefore,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
