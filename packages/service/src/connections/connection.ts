import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Candidate } from "./choose-victims.ts";

/** One request, until its answer is out or its connection is gone, whichever comes first. */
export interface RequestSpan {
  readonly connection: Connection;
  /** To be called at the end; at once if that has come. */
  onEnd(callback: () => void): void;
}

/** One connection of a client, from its first byte to its last. */
export interface Connection extends Candidate {
  /** What requests come over: the socket, or TLS on top of it. */
  readonly socket: Socket;
  /** Somebody has proved who they are in a request over it; its later requests may be of somebody else. */
  identified(client: string): void;
  transferBegan(): () => void;
  /** A request under way is a stream from now on, until the result is called. */
  streamBegan(): () => void;
  /**
   * Looks whether bytes have moved since the last look.
   *
   * @param unacknowledged bytes of the kernel's that the other side has not taken, where that is known
   * @returns whether they have
   */
  look(now: number, unacknowledged?: number): boolean;
  /**
   * For how long nothing has moved, in milliseconds. Bytes are taken in jumps: a slow reader's kernel takes as many as it
   * has room for, and then none until that is used up. So whoever took many is given as long as they are worth at a slow
   * pace, at most `mostMs`.
   */
  stillFor(now: number, mostMs: number): number;
  /** Ends it at once. */
  cut(): void;
}

export interface ConnectionOptions {
  /** Whom its address stands for. */
  readonly client: string;
  /** Many clients come over it, whoever they are: it is known by itself. */
  readonly isProxy: boolean;
  /** Tells it from all others that are open. */
  readonly peer: string;
  readonly now: () => number;
  /** Called when it is found to be another client's than was thought. */
  readonly onClient: (from: string, to: string) => void;
}

// A reader slower than this many bytes a second may be taken for one that reads nothing.
const SLOWEST_READER = 1024;

export class ClientConnection implements Connection {
  readonly peer: string;
  readonly openedAt: number;
  readonly #options: ConnectionOptions;
  readonly #spans = new Set<Span>();
  #socket: Socket;
  #client: string;
  #isStranger: boolean;
  #transfers = 0;
  #streams = 0;
  #movedAt: number;
  #lastJump = 0;
  #passed = 0;
  #unacknowledged: number | undefined;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#client = options.client;
    this.#isStranger = !options.isProxy;
    this.peer = options.peer;
    this.openedAt = options.now();
    this.#movedAt = this.openedAt;
  }

  get socket(): Socket {
    return this.#socket;
  }
  get client(): string {
    return this.#client;
  }
  get isStranger(): boolean {
    return this.#isStranger;
  }
  get heard(): boolean {
    return this.#socket.bytesRead > 0;
  }
  get requests(): number {
    return this.#spans.size;
  }
  get transfers(): number {
    return this.#transfers;
  }
  get streams(): number {
    return this.#streams;
  }
  get movedAt(): number {
    return this.#movedAt;
  }

  /** The handshake of TLS is over: this is what requests come over from now on. */
  secured(socket: Socket): void {
    this.#socket = socket;
  }

  identified(client: string): void {
    if (this.#options.isProxy) return;
    this.#isStranger = false;
    if (this.#client === client) return;
    const before = this.#client;
    this.#client = client;
    this.#options.onClient(before, client);
  }

  requestBegan(): Span {
    const span = new Span(this, () => {
      this.#spans.delete(span);
      this.#movedAt = this.#options.now();
    });
    this.#spans.add(span);
    return span;
  }

  transferBegan(): () => void {
    this.#transfers++;
    this.#movedAt = this.#options.now();
    return once(() => this.#transfers--);
  }

  streamBegan(): () => void {
    this.#streams++;
    return once(() => this.#streams--);
  }

  look(now: number, unacknowledged?: number): boolean {
    const { bytesRead, bytesWritten, writableLength } = this.#socket;
    const passed = bytesRead + bytesWritten - writableLength;
    let jump = Math.abs(passed - this.#passed);
    if (unacknowledged !== undefined) jump += Math.abs(unacknowledged - (this.#unacknowledged ?? unacknowledged));
    this.#passed = passed;
    // What the kernel held before this side gave it more cannot be compared with what it holds now.
    this.#unacknowledged = unacknowledged ?? (jump > 0 ? undefined : this.#unacknowledged);
    if (jump === 0) return false;
    this.#movedAt = now;
    this.#lastJump = jump;
    return true;
  }

  stillFor(now: number, mostMs: number): number {
    return now - this.#movedAt - Math.min(mostMs, (this.#lastJump / SLOWEST_READER) * 1000);
  }

  cut(): void {
    stopParsing(this.#socket);
    // What waits to be sent to somebody who does not take it would go on taking the kernel's memory. Node resets sockets,
    // and nothing on top of them.
    if (this.#socket.writableLength > 0 && !(this.#socket instanceof TLSSocket)) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }

  /** The connection is gone, and everything that went over it. */
  closed(): void {
    for (const span of this.#spans) span.end();
  }
}

// What Node's own listener answers its parser when a connection is to speak another protocol from here on (_http_server.js,
// `parserOnIncoming`): the rest of what was read is left alone.
const LEAVE_THE_REST = 2;

/**
 * One piece of what a connection sent may hold thousands of requests, and Node would make objects of all of them though
 * the connection was closed at the first: half a second for 64 KiB. Where a Node has no such listener, that is what it
 * costs.
 */
function stopParsing(socket: Socket & { readonly parser?: { onIncoming?: unknown } | null }): void {
  if (typeof socket.parser?.onIncoming === "function") socket.parser.onIncoming = () => LEAVE_THE_REST;
}

function once(callback: () => void): () => void {
  let called = false;
  return () => {
    if (!called) callback();
    called = true;
  };
}

class Span implements RequestSpan {
  readonly connection: Connection;
  readonly #callbacks: (() => void)[];
  #ended = false;

  constructor(connection: Connection, onEnd: () => void) {
    this.connection = connection;
    this.#callbacks = [onEnd];
  }

  onEnd(callback: () => void): void {
    if (this.#ended) callback();
    else this.#callbacks.push(callback);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const callback of this.#callbacks) callback();
  }
}
