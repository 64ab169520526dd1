import type { Socket } from "node:net";
import { FrameReader } from "../protocol/frame-reader.ts";
import { MalformedError } from "../protocol/byte-reader.ts";
import { encodeTransportAnswer } from "../protocol/transport-answer.ts";
import { decodeTransportRequest, type TransportRequest } from "../protocol/transport-request.ts";
import { checkApplication, type Service } from "./service.ts";
import { Answers, type Next } from "./answers.ts";
import { Authenticator, type Authenticated, type HandshakeAnswer } from "../auth/authenticator.ts";
import type { SessionCipher } from "../auth/session-cipher.ts";
import { ClosedError, Outlet } from "./outlet.ts";
import type { MemoryHolder } from "./request-memory.ts";
import { Streams } from "./streams.ts";

/** While requests wait, no more than this many bytes of others are read ahead. */
const AHEAD_BYTES = 32 * 1024;
/** A connection on which nothing moves is closed, as Spark's service does (`spark.network.timeout`). */
const IDLE_MS = 120_000;

/**
 * One client. Its requests are answered one after the other, in their order.
 *
 * Counterpart of `TransportChannelHandler` (Spark 3.5.9 and 4.1.1).
 */
export class Connection implements MemoryHolder {
  readonly #socket: Socket;
  readonly #service: Service;
  #answers: Answers;
  /** Until the client has proved that it knows the secret, if there is one. */
  #authenticator: Authenticator | undefined;
  #cipher: SessionCipher | undefined;
  readonly #frames = new FrameReader();
  readonly #streams: Streams;
  readonly #outlet: Outlet;
  readonly #client: string | undefined;
  #held = 0;
  #isBusy = false;
  #isEnding = false;
  #isClosed = false;

  constructor(socket: Socket, service: Service) {
    this.#socket = socket;
    this.#service = service;
    this.#authenticator = service.secret === undefined ? undefined : new Authenticator(service.secret);
    this.#client = socket.remoteAddress;
    this.#outlet = new Outlet(socket, service.pool, service.reader);
    this.#streams = new Streams((bytes) => this.#holdMore(bytes));
    this.#answers = this.#answersOf(service);
    service.memory.add(this);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on("data", (chunk) => this.#received(chunk));
    // Netty closes a channel whose other half is closed.
    socket.on("end", () => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => this.#closed());
  }

  get held(): number {
    return this.#held;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Closes the connection when what is asked now is answered. */
  end(): void {
    this.#isEnding = true;
    if (!this.#isBusy) this.close();
  }

  #received(received: Buffer): void {
    if (this.#isClosed) return;
    const chunk = this.#opened(received);
    if (chunk === undefined) return;
    this.#frames.push(chunk);
    this.#holdMore(chunk.length);
    if (!this.#isBusy) void this.#serve();
    else if (this.#frames.held > AHEAD_BYTES) this.#socket.pause();
  }

  /** Decrypted, if that was agreed; undefined if that fails: then the connection is closed. */
  #opened(chunk: Buffer): Buffer | undefined {
    if (this.#cipher === undefined) return chunk;
    try {
      return this.#cipher.open(chunk);
    } catch (error) {
      this.#service.refusals.note("authentication", this.#client, String(error));
      this.#socket.destroy();
      return undefined;
    }
  }

  /** Answers what is there. Only one call runs at a time. */
  async #serve(): Promise<void> {
    this.#isBusy = true;
    try {
      let frame = this.#frames.next();
      while (frame !== undefined) {
        if ((await this.#answer(decodeTransportRequest(frame))) === "end") this.#isEnding = true;
        this.#holdMore(-(8 + frame.length));
        frame = this.#frames.next();
        if (frame !== undefined && !this.#isEnding) continue;
        await this.#outlet.flush();
        if (this.#isEnding) this.#socket.destroySoon();
        frame = this.#isEnding ? undefined : this.#frames.next();
      }
      this.#socket.resume();
    } catch (error) {
      await this.#fail(error);
    } finally {
      this.#isBusy = false;
      this.#outlet.close();
    }
  }

  async #fail(error: unknown): Promise<void> {
    if (error instanceof MalformedError) {
      this.#service.refusals.note("frame", this.#client, error.message);
      // The requests before it are answered.
      return this.#endSoon();
    }
    // The answer has begun, so only the end of the connection tells the client.
    if (!(error instanceof ClosedError)) this.#service.refusals.note("damaged", this.#client, String(error));
    this.#socket.destroy();
  }

  async #endSoon(): Promise<void> {
    try {
      await this.#outlet.flush();
      this.#socket.destroySoon();
    } catch {
      this.#socket.destroy();
    }
  }

  #answer(request: TransportRequest): Promise<Next> {
    const authenticator = this.#authenticator;
    return authenticator === undefined ? this.#answers.answer(request) : this.#authenticate(authenticator, request);
  }

  #answersOf(service: Service): Answers {
    return new Answers({ service, streams: this.#streams, outlet: this.#outlet, client: this.#client });
  }

  /** Before the handshake has succeeded, nothing else is answered. */
  async #authenticate(authenticator: Authenticator, request: TransportRequest): Promise<Next> {
    if (request.kind !== "rpc") throw new MalformedError("a request of a client that is not authenticated");
    const { requestId } = request;
    let answer: HandshakeAnswer;
    try {
      answer = authenticator.answer(request.body);
      if (answer.done !== undefined) checkApplication(this.#service, answer.done.application);
    } catch (error) {
      await this.#answers.failRpc(requestId, error);
      return "end";
    }
    await this.#outlet.bytes(encodeTransportAnswer({ kind: "rpc", requestId, body: answer.body }));
    // The answer itself is not encrypted.
    await this.#outlet.flush();
    if (answer.done !== undefined) this.#authenticated(answer.done);
    return "go-on";
  }

  #authenticated({ application, cipher }: Authenticated): void {
    this.#authenticator = undefined;
    // From now on, this client may only ask for its own application.
    this.#answers = this.#answersOf({ ...this.#service, application });
    if (cipher === undefined) return;
    if (this.#frames.held > 0) throw new MalformedError("bytes before the answer to the handshake");
    this.#cipher = cipher;
    this.#outlet.sealWith((data) => cipher.seal(data));
  }

  #holdMore(bytes: number): void {
    if (this.#isClosed) return;
    this.#held += bytes;
    this.#service.memory.changed(bytes);
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#streams.closeAll();
    this.#frames.clear();
    this.#service.memory.changed(-this.#held);
    this.#held = 0;
    this.#isClosed = true;
    this.#service.memory.delete(this);
    if (!this.#isBusy) this.#outlet.close();
  }
}
