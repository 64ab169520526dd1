import { ByteReader, MalformedError } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { framed, TYPES } from "./transport-request.ts";

/** What the server answers. `bodyLength` is in bytes. */
export type TransportAnswer =
  /** The bytes of the block follow, inside of the frame. */
  | { readonly kind: "chunk"; readonly streamId: bigint; readonly chunkIndex: number; readonly bodyLength: number }
  | { readonly kind: "chunk-failure"; readonly streamId: bigint; readonly chunkIndex: number; readonly error: string }
  | { readonly kind: "rpc"; readonly requestId: bigint; readonly body: Uint8Array }
  | { readonly kind: "rpc-failure"; readonly requestId: bigint; readonly error: string }
  /** The bytes of the block follow, after the frame. */
  | { readonly kind: "stream"; readonly streamId: string; readonly bodyLength: number }
  | { readonly kind: "stream-failure"; readonly streamId: string; readonly error: string };

/**
 * The frame of an answer, with its length. Blocks are not in it: their bytes follow.
 *
 * Source: `common/network-common/.../protocol/MessageEncoder.java` and the classes of the messages, Spark 3.5.9 and 4.1.1.
 */
export function encodeTransportAnswer(answer: TransportAnswer): Buffer {
  const writer = new ByteWriter().long(0n);
  switch (answer.kind) {
    case "chunk":
      writer.byte(TYPES.chunkSuccess).long(answer.streamId).int(answer.chunkIndex);
      return framed(writer, answer.bodyLength);
    case "chunk-failure":
      return framed(writer.byte(TYPES.chunkFailure).long(answer.streamId).int(answer.chunkIndex).text(answer.error));
    case "rpc":
      return framed(writer.byte(TYPES.rpcResponse).long(answer.requestId).bytes(answer.body));
    case "rpc-failure":
      return framed(writer.byte(TYPES.rpcFailure).long(answer.requestId).text(answer.error));
    case "stream":
      return framed(writer.byte(TYPES.streamResponse).text(answer.streamId).long(BigInt(answer.bodyLength)));
    case "stream-failure":
      return framed(writer.byte(TYPES.streamFailure).text(answer.streamId).text(answer.error));
  }
}

/** An answer as a client reads it: with the bytes of a chunk, and without those of a stream, which follow after the frame. */
export type ReceivedAnswer =
  | Exclude<TransportAnswer, { kind: "chunk" }>
  | { readonly kind: "chunk"; readonly streamId: bigint; readonly chunkIndex: number; readonly body: Buffer };

/**
 * Reads the content of a frame that the server sent: for clients and tests.
 *
 * @throws MalformedError
 */
export function decodeTransportAnswer(frame: Buffer): ReceivedAnswer {
  const reader = new ByteReader(frame);
  const type = reader.byte();
  switch (type) {
    case TYPES.chunkSuccess:
      return { kind: "chunk", streamId: reader.long(), chunkIndex: reader.int(), body: reader.rest() };
    case TYPES.chunkFailure:
      return { kind: "chunk-failure", streamId: reader.long(), chunkIndex: reader.int(), error: reader.text() };
    case TYPES.rpcResponse:
      return { kind: "rpc", requestId: reader.long(), body: reader.bytes() };
    case TYPES.rpcFailure:
      return { kind: "rpc-failure", requestId: reader.long(), error: reader.text() };
    case TYPES.streamResponse:
      return { kind: "stream", streamId: reader.text(), bodyLength: Number(reader.long()) };
    case TYPES.streamFailure:
      return { kind: "stream-failure", streamId: reader.text(), error: reader.text() };
    default:
      throw new MalformedError(`an unknown type of answer: ${type}`);
  }
}
