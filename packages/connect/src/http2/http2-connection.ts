import type { Duplex } from "node:stream";
import type { Clock } from "@kindling/outside";
import { FieldDecoder } from "../hpack/decode-fields.ts";
import { HpackError } from "../hpack/hpack-error.ts";
import { checkFrame, FrameOrder } from "./check-frame.ts";
import type { Fields } from "../hpack/static-table.ts";
import {
  ERROR,
  type ErrorCode,
  FLAG,
  FRAME,
  type Frame,
  frame,
  goAwayFrame,
  Http2Error,
  numberFrame,
  USUAL_WINDOW,
} from "./frame.ts";
import { FrameBudget } from "./frame-budget.ts";
import { type DataPart, FrameReader } from "./frame-reader.ts";
import { type HeaderBlock, HeaderBlocks } from "./header-block.ts";
import type { Http2Stream, StreamLink } from "./http2-stream.ts";
import type { Lease } from "./read-buffers.ts";
import { ReceiveWindow } from "./receive-window.ts";
import { ResetCalls } from "./reset-calls.ts";
import { Sending } from "./sending.ts";
import { type PeerSettings, readSettings, USUAL_SETTINGS } from "./settings.ts";

/** Most bytes of the headers of a call, and most of them. */
export const LONGEST_FIELDS: number = 32 * 1024;
const MOST_FIELDS = 64;
/** How long a connection that was ended here stays open at most. */
const LINGER_MS = 1000;

export interface ConnectionOptions {
  readonly socket: Duplex;
  readonly clock: Pick<Clock, "after" | "monotonic">;
  /** Bytes of all calls together that may be under way to here. */
  readonly window: number;
  /** Told once, when it is over. */
  readonly onClose: () => void;
}

/**
 * A connection of HTTP/2 (RFC 9113), frame by frame. Node's own module copies and schedules each frame by itself, which costs a
 * proxy more than all the rest; here data passes as it came. Any fault ends the connection.
 */
export abstract class Http2Connection {
  abstract readonly role: "client" | "server";
  protected readonly sending: Sending;
  protected readonly streams: Map<number, Http2Stream> = new Map();
  protected peer: PeerSettings = USUAL_SETTINGS;
  protected readonly budget: FrameBudget;
  readonly #socket: Duplex;
  readonly #clock: Pick<Clock, "after">;
  readonly #onClose: () => void;
  readonly #reader: FrameReader;
  readonly #blocks = new HeaderBlocks(LONGEST_FIELDS);
  readonly #decoder = new FieldDecoder({ count: MOST_FIELDS, bytes: LONGEST_FIELDS });
  readonly #window: ReceiveWindow;
  readonly #reset = new ResetCalls();
  protected readonly link: StreamLink;
  readonly #order = new FrameOrder();
  #isClosed = false;

  constructor({ socket, clock, window, onClose }: ConnectionOptions) {
    this.#socket = socket;
    this.#clock = clock;
    this.#onClose = onClose;
    this.#window = new ReceiveWindow(window);
    this.budget = new FrameBudget(clock);
    this.sending = new Sending(socket, this.budget, () =>
      this.destroy(new Http2Error(ERROR.ENHANCE_YOUR_CALM, "the other side does not read what it is sent")),
    );
    this.#reader = new FrameReader({
      frame: (received) => this.#frame(received),
      data: (part) => this.#data(part),
    });
    this.link = this.#linkOf();
    socket.on("error", (cause) => this.#closed(cause));
    socket.on("end", () => this.destroy());
    socket.on("close", () => this.#closed(undefined));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** How many calls are under way. */
  get size(): number {
    return this.streams.size;
  }

  /** Ends it, with all its calls. */
  destroy(cause?: Http2Error): void {
    if (this.#isClosed) return;
    this.sayGoAway(cause?.code ?? ERROR.NO_ERROR);
    this.#closed(cause);
    // The other side is read for a moment without a look: a socket that is closed with unread bytes is reset, and what was
    // sent on it last is lost, also the reason (RFC 1122, 4.2.2.13).
    this.#socket.end();
    this.#socket.once(
      "close",
      this.#clock.after(LINGER_MS, () => this.#socket.destroy()),
    );
  }

  protected abstract isIdle(stream: number): boolean;
  /** The last call of the other side that was answered here. */
  protected abstract get lastAnswered(): number;
  protected abstract receiveHeaders(block: HeaderBlock, fields: Fields): void;
  protected abstract receiveGoAway(payload: Buffer): void;
  protected abstract settingsChanged(): void;
  protected abstract streamEnded(): void;
  /** Calls that were not begun, which are forgotten by this. */
  protected abstract takeWaiting(): readonly Http2Stream[];
  /** @returns the bytes after what has to come before any frame; `undefined` if it has not come as a whole */
  protected abstract afterPreface(chunk: Buffer): Buffer | undefined;

  /** The window of the connection is small at first, and is opened by this. */
  protected windowFrame(window: number): Buffer {
    return numberFrame(FRAME.WINDOW_UPDATE, 0, window - USUAL_WINDOW);
  }

  protected sayGoAway(code: ErrorCode): void {
    this.sending.write(goAwayFrame(this.lastAnswered, code));
  }

  protected endSocket(): void {
    this.#socket.end();
  }

  /**
   * Ends a call for a fault of the other side.
   *
   * @throws Http2Error if there were too many
   */
  protected fault(stream: Http2Stream, code: ErrorCode): void {
    stream.reset(code);
    this.budget.spendOnFault();
  }

  /** Takes nothing of a call. */
  protected ignore(stream: number): void {
    this.#reset.add(stream);
  }

  protected resetUnseen(stream: number, code: ErrorCode): void {
    this.ignore(stream);
    this.sending.write(numberFrame(FRAME.RST_STREAM, stream, code));
    this.budget.spendOnFault();
  }

  /**
   * Frames of a call that is over: those that were under way when it was reset are thrown away.
   *
   * @throws Http2Error
   */
  protected receiveLate(stream: number): void {
    if (!this.#reset.has(stream)) throw new Http2Error(ERROR.STREAM_CLOSED, `call ${stream} is over`);
    // The rest of answers that were taken back is no fault of a driver.
    if (this.role === "server") this.budget.spend();
  }

  /**
   * Takes what the other side says.
   *
   * @param lease of the chunk's memory, if it is used again
   */
  protected read(chunk: Buffer, lease?: Lease): void {
    if (this.#isClosed) return;
    try {
      const bytes = this.afterPreface(chunk);
      if (bytes !== undefined) this.#reader.push(bytes, lease);
    } catch (error) {
      if (error instanceof Http2Error) this.destroy(error);
      else if (error instanceof HpackError) this.destroy(new Http2Error(ERROR.COMPRESSION_ERROR, error.message));
      else throw error;
    } finally {
      lease?.end();
    }
  }

  #closed(cause: unknown): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stream of [...this.streams.values(), ...this.takeWaiting()]) stream.close({ kind: "lost", cause });
    this.#onClose();
  }

  #data({ stream: id, piece, counted, endsStream }: DataPart): void {
    if (this.#isClosed) return;
    this.#order.check({ type: FRAME.DATA, flags: FLAG.NONE, stream: id }, this.#blocks.openStream);
    if (id === 0 || this.isIdle(id)) throw new Http2Error(ERROR.PROTOCOL_ERROR, "data of a call that never was");
    this.#window.receive(counted);
    const stream = this.streams.get(id);
    if (stream === undefined || stream.isReceived) {
      this.#consumed(counted);
      if (stream === undefined) this.receiveLate(id);
      else this.fault(stream, ERROR.STREAM_CLOSED);
      return;
    }
    if (piece.bytes.length > 0) this.budget.earn();
    else if (!endsStream) this.budget.spend();
    stream.receiveData(piece, counted);
    if (endsStream) stream.receiveEnd(undefined);
  }

  #frame(received: Frame): void {
    if (this.#isClosed) return;
    const { type, payload } = received;
    this.#order.check(received, this.#blocks.openStream);
    switch (type) {
      case FRAME.HEADERS:
      case FRAME.CONTINUATION:
        this.#headers(received);
        break;
      case FRAME.RST_STREAM:
        this.#receiveReset(received);
        break;
      case FRAME.SETTINGS:
        this.#settings(received);
        break;
      case FRAME.PING:
        checkFrame(received, { ofConnection: true, length: 8 });
        if ((received.flags & FLAG.ACK) === 0) this.sending.write(frame(FRAME.PING, FLAG.ACK, 0, payload));
        break;
      case FRAME.GOAWAY:
        checkFrame(received, { ofConnection: true });
        if (payload.length < 8) throw new Http2Error(ERROR.FRAME_SIZE_ERROR, "a farewell is too short");
        this.receiveGoAway(payload);
        break;
      case FRAME.WINDOW_UPDATE:
        this.#windowUpdate(received);
        break;
      case FRAME.PRIORITY:
        checkFrame(received, { ofConnection: false, length: 5 });
        break;
      case FRAME.PUSH_PROMISE:
        throw new Http2Error(ERROR.PROTOCOL_ERROR, "calls that nobody made are not taken");
      default:
      // Frames that are not known are thrown away (RFC 9113, 4.1).
    }
    if (type !== FRAME.HEADERS) this.budget.spend();
  }

  #headers(received: Frame): void {
    if (received.stream === 0) throw new Http2Error(ERROR.PROTOCOL_ERROR, "headers of no call");
    const block = this.#blocks.add(received);
    if (block !== undefined) this.receiveHeaders(block, this.#decoder.decode(block.bytes));
  }

  #receiveReset(received: Frame): void {
    checkFrame(received, { ofConnection: false, length: 4 });
    const { stream: id, payload } = received;
    if (this.isIdle(id)) throw new Http2Error(ERROR.PROTOCOL_ERROR, "a reset of a call that never was");
    this.streams.get(id)?.close({ kind: "reset", by: "peer", code: payload.readUInt32BE(0) });
  }

  #settings(received: Frame): void {
    const isAck = (received.flags & FLAG.ACK) !== 0;
    checkFrame(received, isAck ? { ofConnection: true, length: 0 } : { ofConnection: true });
    if (isAck) return;
    const before = this.peer;
    this.peer = readSettings(received.payload, before);
    const wider = this.peer.initialWindow - before.initialWindow;
    for (const stream of this.streams.values())
      if (!stream.widen(wider)) throw new Http2Error(ERROR.FLOW_CONTROL_ERROR, "a window is larger than 2 GiB");
    this.sending.write(frame(FRAME.SETTINGS, FLAG.ACK, 0, Buffer.alloc(0)));
    this.settingsChanged();
  }

  #windowUpdate(received: Frame): void {
    checkFrame(received, { length: 4 });
    const bytes = received.payload.readUInt32BE(0) & 0x7f_ff_ff_ff;
    const id = received.stream;
    if (id === 0) {
      if (bytes === 0) throw new Http2Error(ERROR.PROTOCOL_ERROR, "a window is opened by nothing");
      if (!this.sending.widen(bytes)) throw new Http2Error(ERROR.FLOW_CONTROL_ERROR, "a window is larger than 2 GiB");
      return;
    }
    if (this.isIdle(id)) throw new Http2Error(ERROR.PROTOCOL_ERROR, "a window of a call that never was");
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    if (bytes === 0) this.fault(stream, ERROR.PROTOCOL_ERROR);
    else if (!stream.widen(bytes)) this.fault(stream, ERROR.FLOW_CONTROL_ERROR);
  }

  #consumed(bytes: number): void {
    const told = this.#window.take(bytes);
    if (told !== undefined) this.sending.write(numberFrame(FRAME.WINDOW_UPDATE, 0, told));
  }

  #linkOf(): StreamLink {
    const role = (): "client" | "server" => this.role;
    return {
      get role() {
        return role();
      },
      sendHeaders: (stream, fields, isLast) => this.sending.headers(stream, fields, isLast),
      sendLater: (stream) => {
        if (stream.id !== 0) this.sending.later(stream);
      },
      openWindow: (stream, bytes) => this.sending.write(numberFrame(FRAME.WINDOW_UPDATE, stream.id, bytes)),
      sendReset: (stream, code) => {
        if (stream.id === 0) return;
        this.#reset.add(stream.id);
        this.sending.write(numberFrame(FRAME.RST_STREAM, stream.id, code));
      },
      consumed: (bytes) => this.#consumed(bytes),
      ended: (stream) => {
        this.streams.delete(stream.id);
        this.sending.forget(stream);
        if (!this.#isClosed) this.streamEnded();
      },
    };
  }
}
