import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Candidate } from "./choose-victims.ts";

/** One request, until its answer is sent or its connection is gone, whichever comes first. */
export interface RequestSpan {
  readonly connection: Connection;
  /** Registers a callback for the end; it is called at once if the request has already ended. */
  onEnd(callback: () => void): void;
}

/** One connection of a client, from its first byte to its last. */
export interface Connection extends Candidate {
  /** The object over which requests come: the socket, or TLS on top of it. */
  readonly socket: Socket;
  /** A client has authenticated with a request over it; later requests may come from another client. */
  identified(client: string): void;
  transferBegan(): () => void;
  /** A running request counts as a stream from now on, until the result is called. */
  streamBegan(): () => void;
  /**
   * Checks whether bytes have moved since the last check.
   *
   * @param unacknowledged bytes in the kernel that the other side has not acknowledged, if known
   * @returns whether they have
   */
  look(now: number, unacknowledged?: number): boolean;
  /**
   * For how long no bytes have moved, in milliseconds. Bytes move in jumps: a slow reader's kernel takes as many as it has
   * room for, and then none until these are read. So after many bytes a reader gets the time that it needs for them at a slow
   * pace, at most `mostMs`.
   */
  stillFor(now: number, mostMs: number): number;
  /** Closes it at once. */
  cut(): void;
}

export interface ConnectionOptions {
  /** The client that its address stands for. */
  readonly client: string;
  /** Many clients share its address (a proxy), so the connection is counted by itself. */
  readonly isProxy: boolean;
  /** Identifies it among all open connections. */
  readonly peer: string;
  readonly now: () => number;
  /** Called when it turns out to belong to another client. */
  readonly onClient: (from: string, to: string) => void;
}

// A reader that is slower than this, in bytes per second, may be taken for one that reads nothing.
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

  /** The TLS handshake is over: requests come over this object from now on. */
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
    // If this side has written more since then, the kernel's earlier and present numbers cannot be compared.
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
    // Unsent data for a client that does not read would stay in the kernel's memory. Node can reset only plain sockets, not
    // TLS on top of them.
    if (this.#socket.writableLength > 0 && !(this.#socket instanceof TLSSocket)) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }

  /** The connection is gone, and everything that went over it. */
  closed(): void {
    for (const span of this.#spans) span.end();
  }
}

// What Node's own listener returns to its parser when a connection changes to another protocol (_http_server.js,
// `parserOnIncoming`): the parser then leaves the rest of the data alone.
const LEAVE_THE_REST = 2;

/**
 * One chunk of data may contain thousands of requests, and Node would create objects for all of them even if the connection
 * was closed at the first one. This takes half a second for 64 KiB. If a version of Node has no such listener, this time is
 * lost.
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
