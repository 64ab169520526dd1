import type { Fields } from "../hpack/static-table.ts";
import { areTrailers, isRequest } from "./check-fields.ts";
import { ERROR, Http2Error, PREFACE } from "./frame.ts";
import type { HeaderBlock } from "./header-block.ts";
import { type ConnectionOptions, Http2Connection, LONGEST_FIELDS } from "./http2-connection.ts";
import { Http2Stream } from "./http2-stream.ts";
import { SETTING, settingsFrame } from "./settings.ts";

export interface ServerConnectionOptions extends ConnectionOptions {
  /** Bytes of one call that may be under way to here. */
  readonly streamWindow: number;
  /** How many calls at once the client is told that it may make. */
  readonly concurrentStreams: number;
  /** A client makes a call. */
  readonly onStream: (stream: Http2Stream, fields: Fields) => void;
}

/** The server's side of a connection. */
export class ServerConnection extends Http2Connection {
  readonly role = "server";
  readonly #options: ServerConnectionOptions;
  #preface: Buffer | undefined = Buffer.alloc(0);
  /** The last call that was made, and the last one that was taken. */
  #last = 0;
  #lastTaken = 0;
  #isLeaving = false;

  constructor(options: ServerConnectionOptions) {
    super(options);
    this.#options = options;
    options.socket.on("data", (chunk: Buffer) => this.read(chunk));
    this.sending.write(
      Buffer.concat([
        settingsFrame([
          [SETTING.MAX_CONCURRENT_STREAMS, options.concurrentStreams],
          [SETTING.INITIAL_WINDOW_SIZE, options.streamWindow],
          [SETTING.MAX_HEADER_LIST_SIZE, LONGEST_FIELDS],
        ]),
        this.windowFrame(options.window),
      ]),
    );
  }

  /** Asks the client to make further calls elsewhere, and ends when those under way have. */
  goAway(): void {
    if (this.isClosed || this.#isLeaving) return;
    this.#isLeaving = true;
    this.sayGoAway(ERROR.NO_ERROR);
    this.streamEnded();
  }

  /**
   * Takes no call that is one too many.
   *
   * @throws Http2Error if the client makes such calls again and again
   */
  refuse(stream: Http2Stream): void {
    this.fault(stream, ERROR.REFUSED_STREAM);
  }

  protected override get lastAnswered(): number {
    return this.#lastTaken;
  }

  protected override isIdle(stream: number): boolean {
    return stream > this.#last || stream % 2 === 0;
  }

  protected override afterPreface(chunk: Buffer): Buffer | undefined {
    if (this.#preface === undefined) return chunk;
    const begun = Buffer.concat([this.#preface, chunk]);
    const length = Math.min(begun.length, PREFACE.length);
    if (begun.compare(PREFACE, 0, length, 0, length) !== 0)
      throw new Http2Error(ERROR.PROTOCOL_ERROR, "the client does not speak HTTP/2");
    this.#preface = length < PREFACE.length ? begun : undefined;
    return this.#preface === undefined ? begun.subarray(PREFACE.length) : undefined;
  }

  protected override receiveHeaders({ stream: id, endsStream }: HeaderBlock, fields: Fields): void {
    const open = this.streams.get(id);
    if (open !== undefined) this.#receiveTrailers(open, endsStream ? fields : undefined);
    else if (!this.isIdle(id)) this.receiveLate(id);
    else if (id % 2 === 0) throw new Http2Error(ERROR.PROTOCOL_ERROR, "a client's call has the number of a server's");
    else this.#receiveCall(id, endsStream, fields);
  }

  #receiveTrailers(stream: Http2Stream, fields: Fields | undefined): void {
    if (stream.isReceived) this.fault(stream, ERROR.STREAM_CLOSED);
    else if (fields === undefined || !areTrailers(fields)) this.fault(stream, ERROR.PROTOCOL_ERROR);
    else stream.receiveEnd(fields);
  }

  #receiveCall(id: number, endsStream: boolean, fields: Fields): void {
    this.#last = id;
    // A client learns from the farewell which calls were not taken, but may have sent some of them before.
    if (this.#isLeaving) {
      this.ignore(id);
      this.budget.spend();
      return;
    }
    this.#lastTaken = id;
    if (!isRequest(fields)) {
      this.resetUnseen(id, ERROR.PROTOCOL_ERROR);
      return;
    }
    this.budget.earn();
    const { streamWindow, onStream } = this.#options;
    const windows = { sendWindow: this.peer.initialWindow, receiveWindow: streamWindow };
    const stream = new Http2Stream({ id, ...windows, link: this.link });
    this.streams.set(id, stream);
    onStream(stream, fields);
    if (endsStream) stream.receiveEnd(undefined);
  }

  protected override receiveGoAway(): void {
    // A client that leaves makes no further calls, and ends the connection itself.
  }

  protected override settingsChanged(): void {
    // The windows of the calls have been changed already, and nothing else is followed.
  }

  protected override takeWaiting(): readonly Http2Stream[] {
    return [];
  }

  protected override streamEnded(): void {
    if (this.#isLeaving && this.size === 0) this.endSocket();
  }
}
