import type { FoundBlock } from "../blocks/block-files.ts";
import { MalformedError } from "../protocol/byte-reader.ts";
import { javaInt, javaLong, splitJava } from "../protocol/java-text.ts";
import { encodeTransportAnswer } from "../protocol/transport-answer.ts";
import type { TransportRequest } from "../protocol/transport-request.ts";
import { RemoteError } from "../remote-error.ts";
import { answerRpc, refuseUpload, unsupported } from "./answer-rpc.ts";
import type { Outlet } from "./outlet.ts";
import { checkApplication, type Service } from "./service.ts";
import type { Streams } from "./streams.ts";

/** Names of streams are two numbers. They are repeated in the answer. */
const MOST_STREAM_NAME = 4_096;

/** Whether a connection goes on after an answer. */
export type Next = "go-on" | "end";

/** What the answers to a client need. */
export interface AnswersOptions {
  readonly service: Service;
  readonly streams: Streams;
  readonly outlet: Outlet;
  /** Its address, for the log. */
  readonly client: string | undefined;
}

/** The answers to one client. Counterpart of `TransportRequestHandler` and `ChunkFetchRequestHandler` (Spark 3.5.9 and 4.1.1). */
export class Answers {
  readonly #service: Service;
  readonly #streams: Streams;
  readonly #outlet: Outlet;
  readonly #client: string | undefined;

  constructor({ service, streams, outlet, client }: AnswersOptions) {
    this.#service = service;
    this.#streams = streams;
    this.#outlet = outlet;
    this.#client = client;
  }

  /** Answers a request. @throws Error if the connection has to be closed at once */
  async answer(request: TransportRequest): Promise<Next> {
    switch (request.kind) {
      case "chunk":
        await this.#answerChunk(request.streamId, request.chunkIndex);
        return "go-on";
      case "rpc":
        await this.#answerRpc(request.requestId, request.body);
        return "go-on";
      case "stream":
        await this.#answerStream(request.streamId);
        return "go-on";
      case "one-way":
        await this.#doOneWay(request.body);
        return "go-on";
      case "upload":
        // The bytes of the upload may be under way already.
        await this.#refuseUpload(request.requestId, request.meta);
        return "end";
      case "merged-block-meta":
        await this.#refuseMergedMeta(request.requestId, request.application);
        return "go-on";
      case "unasked-answer":
        return "go-on";
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
      await this.failRpc(requestId, error);
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

  async #refuseUpload(requestId: bigint, meta: Buffer): Promise<void> {
    try {
      throw refuseUpload(this.#service, meta);
    } catch (error) {
      await this.failRpc(requestId, error);
    }
  }

  async #refuseMergedMeta(requestId: bigint, application: string): Promise<void> {
    try {
      checkApplication(this.#service, application);
      throw unsupported("Cannot handle shuffle block merge");
    } catch (error) {
      await this.failRpc(requestId, error);
    }
  }

  /** Answers an RPC with a failure. */
  async failRpc(requestId: bigint, error: unknown): Promise<void> {
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
