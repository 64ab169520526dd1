import type { Fields } from "../hpack/static-table.ts";
import { ERROR, type ErrorCode, LARGEST_WINDOW } from "./frame.ts";
import { Outgoing } from "./outgoing.ts";
import type { Piece } from "./read-buffers.ts";
import { ReceiveWindow } from "./receive-window.ts";

/** How a call's stream ended. */
export type StreamEnd =
  /** Both sides have said all. */
  | { readonly kind: "finished" }
  | { readonly kind: "reset"; readonly by: "here" | "peer"; readonly code: number }
  /** The connection ended before. */
  | { readonly kind: "lost"; readonly cause: unknown };

/** Takes what the other side sends. */
export interface StreamReceiver {
  /** The headers of an answer; those of a request are known before. */
  headers?(fields: Fields): void;
  /** Bytes, which count as under way until `consumed` is told of them. A receiver that keeps them copies them, or writes the piece. */
  data(piece: Piece): void;
  /** The other side has said all. */
  end(trailers: Fields | undefined): void;
}

/** What a stream asks of its connection. */
export interface StreamLink {
  readonly role: "client" | "server";
  /** @param isLast nothing follows them */
  sendHeaders(stream: Http2Stream, fields: Fields, isLast: boolean): void;
  /** There is something to send, as soon as the windows allow it. */
  sendLater(stream: Http2Stream): void;
  openWindow(stream: Http2Stream, bytes: number): void;
  sendReset(stream: Http2Stream, code: ErrorCode): void;
  /** So many bytes of the connection's window are free again. */
  consumed(bytes: number): void;
  ended(stream: Http2Stream): void;
}

export interface StreamOptions {
  readonly id: number;
  /** How much the other side takes at first. */
  readonly sendWindow: number;
  /** How much of it may wait here. */
  readonly receiveWindow: number;
  readonly link: StreamLink;
}

/** One call on a connection, from either side. */
export class Http2Stream {
  /** 0 until it is known. */
  id: number;
  /** How much the other side takes; less than nothing if it has taken a promise back. */
  sendWindow: number;
  /** Bytes of data that were handed to the socket. */
  sent = 0;
  /** Told of these bytes as soon as the socket has them. */
  onSent: ((bytes: number) => void) | undefined;
  /** Told once. */
  onEnd: ((end: StreamEnd) => void) | undefined;
  readonly #link: StreamLink;
  readonly #window: ReceiveWindow;
  readonly #outgoing = new Outgoing();
  /** Bytes that came and were not passed on. */
  #unconsumed = 0;
  #receiver: StreamReceiver | undefined;
  readonly #unread: ((receiver: StreamReceiver) => void)[] = [];
  #end: StreamEnd | undefined;
  #hasHeaders = false;
  /** All that will be sent is there; with these trailers. */
  #last: { readonly trailers: Fields | undefined } | undefined;
  #isSent = false;
  #isReceived = false;

  constructor({ id, sendWindow, receiveWindow, link }: StreamOptions) {
    this.id = id;
    this.sendWindow = sendWindow;
    this.#window = new ReceiveWindow(receiveWindow);
    this.#link = link;
  }

  /** How it ended; `undefined` while it goes on. */
  get end(): StreamEnd | undefined {
    return this.#end;
  }

  get headersSent(): boolean {
    return this.#hasHeaders;
  }

  /** Whether the other side has said all. */
  get isReceived(): boolean {
    return this.#isReceived;
  }

  /** Bytes that wait to be sent. */
  get queued(): number {
    return this.#outgoing.length;
  }

  /** @param isLast nothing follows them: an answer of headers only */
  sendHeaders(fields: Fields, isLast = false): void {
    if (this.#end !== undefined || this.#hasHeaders) return;
    this.#hasHeaders = true;
    this.#link.sendHeaders(this, fields, isLast);
    if (isLast) this.sentLast();
  }

  write(piece: Piece): void {
    if (this.#end !== undefined || this.#last !== undefined) return;
    this.#outgoing.push(piece);
    this.#link.sendLater(this);
  }

  /** Ends this side, after all data. */
  finish(trailers?: Fields): void {
    if (this.#end !== undefined || this.#last !== undefined || this.#isSent) return;
    this.#last = { trailers };
    this.#link.sendLater(this);
  }

  reset(code: ErrorCode): void {
    if (this.#end !== undefined) return;
    this.#link.sendReset(this, code);
    this.close({ kind: "reset", by: "here", code });
  }

  /** Hands on what has come and what comes; with `undefined`, it is kept until there is somebody again. */
  receive(receiver: StreamReceiver | undefined): void {
    this.#receiver = receiver;
    while (this.#receiver !== undefined) {
      const next = this.#unread.shift();
      if (next === undefined) return;
      next(this.#receiver);
    }
  }

  /** Bytes have been passed on, so the other side may send more. */
  consumed(bytes: number): void {
    if (this.#end !== undefined) return;
    const taken = Math.min(bytes, this.#unconsumed);
    this.#unconsumed -= taken;
    this.#link.consumed(taken);
    const told = this.#window.take(taken);
    if (told !== undefined && !this.#isReceived) this.#link.openWindow(this, told);
  }

  /** The next data to send, at most so many bytes; whether nothing follows. For its connection. */
  nextData(most: number): { readonly pieces: readonly Piece[]; readonly length: number; readonly isLast: boolean } {
    const before = this.#outgoing.length;
    const pieces = this.#outgoing.take(Math.min(most, Math.max(0, this.sendWindow)));
    const length = before - this.#outgoing.length;
    this.sendWindow -= length;
    this.sent += length;
    const isLast = this.#outgoing.length === 0 && this.#last !== undefined && this.#last.trailers === undefined;
    return { pieces, length, isLast };
  }

  /** Whether anything can be sent now. For its connection. */
  get canSend(): boolean {
    if (this.#end !== undefined || this.#isSent) return false;
    return this.#outgoing.length > 0 ? this.sendWindow > 0 : this.#last !== undefined;
  }

  /** What is sent when no data is left. For its connection. */
  get lastTrailers(): Fields | undefined {
    return this.#outgoing.length === 0 ? this.#last?.trailers : undefined;
  }

  /** @throws Http2Error. For its connection. */
  receiveData(piece: Piece, counted: number): void {
    this.#window.receive(counted);
    this.#unconsumed += counted;
    const { length } = piece.bytes;
    if (counted > length) this.consumed(counted - length);
    if (length > 0) this.#hand((receiver) => receiver.data(piece));
  }

  /** For its connection. */
  receiveHeaders(fields: Fields): void {
    this.#hand((receiver) => receiver.headers?.(fields));
  }

  /** For its connection. */
  receiveEnd(trailers: Fields | undefined): void {
    if (this.#end !== undefined) return;
    this.#isReceived = true;
    this.#hand((receiver) => receiver.end(trailers));
    if (this.#isSent) this.close({ kind: "finished" });
    // An answer that is whole needs no more of the request.
    else if (this.#link.role === "client") this.#cut(ERROR.CANCEL);
  }

  /** @returns whether the window stays in its limits. For its connection. */
  widen(bytes: number): boolean {
    this.sendWindow += bytes;
    if (this.sendWindow > LARGEST_WINDOW) return false;
    if (this.canSend) this.#link.sendLater(this);
    return true;
  }

  /** Ends it without a word to the other side. For its connection. */
  close(end: StreamEnd): void {
    if (this.#end !== undefined) return;
    this.#link.consumed(this.#unconsumed);
    this.#end = end;
    this.#outgoing.clear();
    this.#unread.length = 0;
    this.#link.ended(this);
    this.onEnd?.(end);
  }

  /** The last frame was handed to the socket. For its connection. */
  sentLast(): void {
    this.#isSent = true;
    if (this.#isReceived) this.close({ kind: "finished" });
    // An answer that ends before its request does is followed by a reset without an error (RFC 9113, 8.1).
    else if (this.#link.role === "server") this.#cut(ERROR.NO_ERROR);
  }

  #cut(code: ErrorCode): void {
    if (this.#end !== undefined) return;
    this.#link.sendReset(this, code);
    this.close({ kind: "finished" });
  }

  #hand(event: (receiver: StreamReceiver) => void): void {
    if (this.#receiver === undefined) this.#unread.push(event);
    else event(this.#receiver);
  }
}
