import type { Socket } from "node:net";
import type { FoundBlock } from "../blocks/block-files.ts";
import { FrameReader } from "../protocol/frame-reader.ts";
import { javaInt, javaLong, splitJava } from "../protocol/java-text.ts";
import { MalformedError } from "../protocol/byte-reader.ts";
import { encodeTransportAnswer } from "../protocol/transport-answer.ts";
import { decodeTransportRequest, type TransportRequest } from "../protocol/transport-request.ts";
import { RemoteError } from "../remote-error.ts";
import { checkApplication, type Service } from "./service.ts";
import { answerRpc, refuseUpload, unsupported } from "./answer-rpc.ts";
import { ClosedError, Outlet } from "./outlet.ts";
import type { MemoryHolder } from "./request-memory.ts";
import { Streams } from "./streams.ts";

/** While requests wait, no more than this many bytes of others are read ahead. */
const AHEAD_BYTES = 32 * 1024;
/** Names of streams are two numbers. They are repeated in the answer. */
const MOST_STREAM_NAME = 4_096;
/** A connection on which nothing moves is closed, as Spark's service does (`spark.network.timeout`). */
const IDLE_MS = 120_000;

/**
 * One client. Its requests are answered one after the other, in their order.
 *
 * Counterpart of `TransportChannelHandler`, `TransportRequestHandler` and `ChunkFetchRequestHandler` (Spark 3.5.9 and 4.1.1).
 */
export class Connection implements MemoryHolder {
  readonly #socket: Socket;
  readonly #service: Service;
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
    this.#client = socket.remoteAddress;
    this.#outlet = new Outlet(socket, service.pool, service.reader);
    this.#streams = new Streams((bytes) => this.#holdMore(bytes));
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

  #received(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#frames.push(chunk);
    this.#holdMore(chunk.length);
    if (!this.#isBusy) void this.#serve();
    else if (this.#frames.held > AHEAD_BYTES) this.#socket.pause();
  }

  /** Answers what is there. Only one call runs at a time. */
  async #serve(): Promise<void> {
    this.#isBusy = true;
    try {
      let frame = this.#frames.next();
      while (frame !== undefined) {
        await this.#answer(decodeTransportRequest(frame));
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

  async #answer(request: TransportRequest): Promise<void> {
    switch (request.kind) {
      case "chunk":
        return this.#answerChunk(request.streamId, request.chunkIndex);
      case "rpc":
        return this.#answerRpc(request.requestId, request.body);
      case "stream":
        return this.#answerStream(request.streamId);
      case "one-way":
        return this.#doOneWay(request.body);
      case "upload":
        return this.#refuseUpload(request.requestId, request.meta);
      case "merged-block-meta":
        return this.#refuseMergedMeta(request.requestId, request.application);
      case "unasked-answer":
        return;
    }
  }

  async #answerChunk(streamId: bigint, chunkIndex: number): Promise<void> {
    let block: FoundBlock;
    try {
      block = this.#take(streamId, chunkIndex) ?? notFound();
    } catch (error) {
      const text = this.#refused(error);
      await this.#outlet.bytes(encodeTransportAnswer({ kind: "chunk-failure", streamId, chunkIndex, error: text }));
      return;
    }
    await this.#send(encodeTransportAnswer({ kind: "chunk", streamId, chunkIndex, bodyLength: block.length }), block);
  }

  async #answerStream(streamId: string): Promise<void> {
    if (streamId.length > MOST_STREAM_NAME)
      throw new MalformedError(`a name of a stream with ${streamId.length} characters`);
    let block: FoundBlock | undefined;
    try {
      const [stream = "", chunk] = splitJava(streamId);
      const id = javaLong(stream) ?? notNumber(stream);
      block = this.#take(id, chunk === undefined ? noChunk() : (javaInt(chunk) ?? notNumber(chunk)));
    } catch (error) {
      const text = this.#refused(error);
      await this.#outlet.bytes(encodeTransportAnswer({ kind: "stream-failure", streamId, error: text }));
      return;
    }
    if (block === undefined) {
      const error = `Stream '${streamId}' was not found.`;
      await this.#outlet.bytes(encodeTransportAnswer({ kind: "stream-failure", streamId, error }));
      return;
    }
    await this.#send(encodeTransportAnswer({ kind: "stream", streamId, bodyLength: block.length }), block);
  }

  #take(streamId: bigint, chunkIndex: number): FoundBlock | undefined {
    const { executors, files } = this.#service;
    return this.#streams.take(streamId, chunkIndex, ({ application, executor }, block) => {
      if (block.kind === "merged") throw unsupported("Cannot handle shuffle block merge");
      return files.find(executors.get(application, executor), block);
    });
  }

  async #send(header: Buffer, block: FoundBlock): Promise<void> {
    try {
      await this.#outlet.bytes(header);
      await this.#outlet.block(block);
    } finally {
      block.release();
    }
  }

  async #answerRpc(requestId: bigint, body: Buffer): Promise<void> {
    let answer: Uint8Array;
    try {
      answer = await answerRpc(this.#service, this.#streams, body);
    } catch (error) {
      await this.#failRpc(requestId, error);
      return;
    }
    await this.#outlet.bytes(encodeTransportAnswer({ kind: "rpc", requestId, body: answer }));
  }

  async #doOneWay(body: Buffer): Promise<void> {
    try {
      await answerRpc(this.#service, this.#streams, body);
    } catch (error) {
      this.#refused(error);
    }
  }

  /** The bytes of the upload may be under way already, so the connection ends. */
  async #refuseUpload(requestId: bigint, meta: Buffer): Promise<void> {
    try {
      throw refuseUpload(this.#service, meta);
    } catch (error) {
      await this.#failRpc(requestId, error);
    }
    this.#isEnding = true;
  }

  async #refuseMergedMeta(requestId: bigint, application: string): Promise<void> {
    try {
      checkApplication(this.#service, application);
      throw unsupported("Cannot handle shuffle block merge");
    } catch (error) {
      await this.#failRpc(requestId, error);
    }
  }

  async #failRpc(requestId: bigint, error: unknown): Promise<void> {
    await this.#outlet.bytes(encodeTransportAnswer({ kind: "rpc-failure", requestId, error: this.#refused(error) }));
  }

  /** What the client is told. */
  #refused(error: unknown): string {
    // A fault of this program: the client gets no details of it.
    if (!(error instanceof RemoteError)) {
      this.#service.refusals.note("message", this.#client, `a fault of this server: ${String(error)}`);
      return "java.lang.RuntimeException: the shuffle server failed";
    }
    this.#service.refusals.note(error.kind, this.#client, error.text);
    return error.text;
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

function notFound(): never {
  throw new RemoteError("block", "java.lang.IllegalStateException", "Chunk was not found");
}

function noChunk(): never {
  const message = "Index 1 out of bounds for length 1";
  throw new RemoteError("stream", "java.lang.ArrayIndexOutOfBoundsException", message);
}

function notNumber(text: string): never {
  throw new RemoteError("stream", "java.lang.NumberFormatException", `For input string: "${text}"`);
}
