import { connect } from "node:net";
import type { Fields } from "../hpack/static-table.ts";
import { areTrailers, isResponse, valueOf } from "./check-fields.ts";
import { ERROR, Http2Error, LARGEST_STREAM, PREFACE } from "./frame.ts";
import type { HeaderBlock } from "./header-block.ts";
import { type ConnectionOptions, Http2Connection, LONGEST_FIELDS } from "./http2-connection.ts";
import { Http2Stream } from "./http2-stream.ts";
import { ReadBuffers } from "./read-buffers.ts";
import { SETTING, settingsFrame, USUAL_SETTINGS } from "./settings.ts";

export interface ClientConnectionOptions extends Omit<ConnectionOptions, "socket"> {
  readonly host: string;
  readonly port: number;
  /** Bytes of one call's answer that may wait here. */
  readonly streamWindow: number;
}

const KEEP_ALIVE_MS = 30_000;

/** The client's side of a connection, without TLS. */
export class ClientConnection extends Http2Connection {
  readonly role = "client";
  readonly #streamWindow: number;
  /** Calls above what the server takes at once. */
  readonly #waiting: { readonly stream: Http2Stream; readonly fields: Fields }[] = [];
  readonly #answered = new WeakSet<Http2Stream>();
  #next = 1;
  #isLeaving = false;

  constructor({ host, port, ...options }: ClientConnectionOptions) {
    const buffers = new ReadBuffers();
    let reading = buffers.next();
    const socket = connect({
      ...{ host, port, noDelay: true },
      // Not pings of HTTP/2: servers of gRPC close connections that have more than one in five minutes.
      ...{ keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
      onread: {
        buffer: () => (reading = buffers.next()),
        callback: (length) => {
          const { bytes, lease } = buffers.read(reading, length);
          this.read(bytes, lease);
          return true;
        },
      },
    });
    super({ ...options, socket });
    this.#streamWindow = options.streamWindow;
    this.sending.write(
      Buffer.concat([
        PREFACE,
        settingsFrame([
          [SETTING.ENABLE_PUSH, 0],
          [SETTING.INITIAL_WINDOW_SIZE, options.streamWindow],
          [SETTING.MAX_HEADER_LIST_SIZE, LONGEST_FIELDS],
        ]),
        this.windowFrame(options.window),
      ]),
    );
  }

  /** Whether it takes further calls. */
  get isUsable(): boolean {
    return !this.isClosed && !this.#isLeaving && this.#next <= LARGEST_STREAM;
  }

  /** Makes a call; its data is written afterwards. It waits by itself for the connection, and for its turn. */
  request(fields: Fields): Http2Stream {
    const sendWindow = USUAL_SETTINGS.initialWindow;
    const stream = new Http2Stream({ id: 0, sendWindow, receiveWindow: this.#streamWindow, link: this.link });
    this.#waiting.push({ stream, fields });
    this.#openWaiting();
    return stream;
  }

  #openWaiting(): void {
    while (this.isUsable && this.streams.size < this.peer.concurrentStreams) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const { stream, fields } = next;
      if (stream.end !== undefined) continue;
      stream.id = this.#next;
      this.#next += 2;
      stream.sendWindow = this.peer.initialWindow;
      this.streams.set(stream.id, stream);
      stream.sendHeaders(fields);
      this.sending.later(stream);
    }
  }

  protected override get lastAnswered(): number {
    return 0;
  }

  protected override isIdle(stream: number): boolean {
    return stream >= this.#next || stream % 2 === 0;
  }

  protected override afterPreface(chunk: Buffer): Buffer {
    return chunk;
  }

  protected override receiveHeaders({ stream: id, endsStream }: HeaderBlock, fields: Fields): void {
    if (this.isIdle(id)) throw new Http2Error(ERROR.PROTOCOL_ERROR, "headers of a call that never was");
    const stream = this.streams.get(id);
    if (stream === undefined) this.receiveLate(id);
    else if (this.#answered.has(stream)) {
      if (endsStream && areTrailers(fields)) stream.receiveEnd(fields);
      else this.fault(stream, ERROR.PROTOCOL_ERROR);
    } else if (!isResponse(fields)) this.fault(stream, ERROR.PROTOCOL_ERROR);
    else if (endsStream) stream.receiveEnd(fields);
    else if (valueOf(fields, ":status")?.startsWith("1") === true) this.budget.spend();
    else {
      this.#answered.add(stream);
      stream.receiveHeaders(fields);
    }
  }

  protected override receiveGoAway(payload: Buffer): void {
    this.#isLeaving = true;
    const last = payload.readUInt32BE(0) & 0x7f_ff_ff_ff;
    const code = payload.readUInt32BE(4);
    const refused = [...this.streams.values()].filter(({ id }) => id > last);
    for (const stream of [...refused, ...this.takeWaiting()]) stream.close({ kind: "reset", by: "peer", code });
    this.streamEnded();
  }

  protected override settingsChanged(): void {
    this.#openWaiting();
  }

  protected override takeWaiting(): readonly Http2Stream[] {
    return this.#waiting.splice(0).map(({ stream }) => stream);
  }

  protected override streamEnded(): void {
    if (this.#isLeaving && this.size === 0) this.destroy();
    else this.#openWaiting();
  }
}
