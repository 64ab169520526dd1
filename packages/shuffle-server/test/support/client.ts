import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import {
  decodeBlockMessage,
  decodeTransportAnswer,
  encodeBlockMessage,
  encodeTransportRequest,
  FrameReader,
  type BlockMessage,
  type ReceivedAnswer,
  type TransportRequest,
  type WrittenMessage,
} from "../../src/index.ts";

type Sent = Exclude<TransportRequest, { kind: "unasked-answer" }>;

/** A client that speaks Spark's protocol, one answer at a time. */
export class Client {
  readonly socket: Socket;
  readonly #frames = new FrameReader(0x7fff_ffff);
  #isClosed = false;
  #wake: () => void = () => undefined;
  #requestId = 0n;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => {
      this.#frames.push(chunk);
      this.#wake();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static async connect(port: number): Promise<Client> {
    const socket = connect({ port, host: "127.0.0.1" });
    await once(socket, "connect");
    return new Client(socket);
  }

  /** @param certificate the only one that is trusted; it is for {@link HOST} */
  static async connectTls(port: number, certificate: string): Promise<Client> {
    const socket = connectTls({ port, host: "127.0.0.1", servername: HOST, ca: certificate });
    await once(socket, "secureConnect");
    return new Client(socket);
  }

  send(...requests: readonly Sent[]): void {
    this.sendBytes(Buffer.concat(requests.map((request) => encodeTransportRequest(request))));
  }

  sendBytes(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The content of the next frame, or undefined when the server has closed the connection. */
  async frame(): Promise<Buffer | undefined> {
    for (;;) {
      const frame = this.#frames.next();
      if (frame !== undefined || this.#isClosed) return frame;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async answer(): Promise<ReceivedAnswer> {
    const frame = await this.frame();
    if (frame === undefined) throw new Error("the server has closed the connection");
    return decodeTransportAnswer(frame);
  }

  /** Sends a message, and returns the answer, or the text of the failure. */
  async ask(message: WrittenMessage): Promise<BlockMessage | string | undefined> {
    return this.askBytes(encodeBlockMessage(message));
  }

  async askBytes(body: Buffer): Promise<BlockMessage | string | undefined> {
    this.#requestId += 1n;
    this.send({ kind: "rpc", requestId: this.#requestId, body });
    const answer = await this.answer();
    if (answer.kind === "rpc-failure") return answer.error;
    if (answer.kind !== "rpc" || answer.body.length === 0) return undefined;
    return decodeBlockMessage(Buffer.from(answer.body));
  }

  /** Opens blocks of shuffle 0, one for each pair of map and partition, and returns the stream's id. */
  async open(executor: string, blocks: readonly (readonly [map: number, reduce: number])[]): Promise<bigint> {
    const answer = await this.ask(fetchBlocks(executor, blocks));
    if (typeof answer !== "object" || answer.kind !== "stream-handle") throw new Error(String(answer));
    return answer.streamId;
  }

  /** The bytes of a chunk, or the text of the failure. */
  async chunk(streamId: bigint, chunkIndex: number): Promise<Buffer | string> {
    this.send({ kind: "chunk", streamId, chunkIndex });
    const answer = await this.answer();
    if (answer.kind === "chunk") return answer.body;
    if (answer.kind === "chunk-failure") return answer.error;
    throw new Error(`an answer of kind ${answer.kind}`);
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    if (!this.#isClosed) await once(this.socket, "close");
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The name in certificates. */
export const HOST = "an-executor";
export const APPLICATION = "spark-1";

export function fetchBlocks(
  executor: string,
  blocks: readonly (readonly [map: number, reduce: number])[],
): WrittenMessage & { kind: "fetch-shuffle-blocks" } {
  return {
    kind: "fetch-shuffle-blocks",
    application: APPLICATION,
    executor,
    blocks: {
      shuffleId: 0,
      mapIds: BigInt64Array.from(blocks, ([map]) => BigInt(map)),
      reduceIds: Int32Array.from(blocks, ([, reduce]) => reduce),
      reduceCounts: new Int32Array(blocks.length).fill(1),
      isBatch: false,
    },
  };
}
