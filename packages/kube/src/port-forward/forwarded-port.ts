import { randomBytes } from "node:crypto";
import { Duplex } from "node:stream";
import { clientFrame, FrameReader, OPCODES } from "./frames.ts";

const DATA = 0;
const ERROR = 1;
/** Frames of this size are masked in one piece. */
const PIECE_BYTES = 32 * 1024;

/** The pod's node cannot connect to the port. The message is the node's own. */
export class ForwardingError extends Error {
  override readonly name: string = "ForwardingError";
}

/**
 * A connection to a port of a pod, in a WebSocket of the subprotocol `v4.channel.k8s.io`: each message begins with the number of a
 * channel, 0 for data and 1 for errors, and the first message of each channel has only the port (Kubernetes,
 * pkg/kubelet/server/portforward/websocket.go).
 */
export class ForwardedPort extends Duplex {
  readonly #socket: Duplex;
  readonly #reader = new FrameReader();
  readonly #begun = new Set<number>();
  /** The channel of the message whose frames are under way. */
  #channel: number | undefined;

  constructor(socket: Duplex) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => this.#take(bytes));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.push(null));
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const pieces: Buffer[] = [];
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const payload = Buffer.concat([Buffer.from([DATA]), chunk.subarray(at, at + PIECE_BYTES)]);
      pieces.push(clientFrame(OPCODES.binary, payload, randomBytes(4)));
    }
    this.#socket.write(Buffer.concat(pieces), done);
  }

  override _final(done: () => void): void {
    this.#socket.end(clientFrame(OPCODES.close, Buffer.from([0x03, 0xe8]), randomBytes(4)), done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #take(bytes: Buffer): void {
    try {
      for (const { opcode, payload, isLast } of this.#reader.push(bytes)) {
        if (opcode === OPCODES.ping) this.#socket.write(clientFrame(OPCODES.pong, payload, randomBytes(4)));
        else if (opcode === OPCODES.close) this.push(null);
        else if (opcode !== OPCODES.pong) this.#message(payload, isLast);
      }
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #message(payload: Buffer, isLast: boolean): void {
    const isFirst = this.#channel === undefined;
    const channel = this.#channel ?? payload[0];
    const data = isFirst ? payload.subarray(1) : payload;
    this.#channel = isLast ? undefined : channel;
    if (channel === undefined) return;
    if (!this.#begun.has(channel)) this.#begun.add(channel);
    else if (channel === ERROR && data.length > 0) this.destroy(new ForwardingError(data.toString("utf8").trim()));
    else if (channel === DATA && !this.push(data)) this.#socket.pause();
  }
}
