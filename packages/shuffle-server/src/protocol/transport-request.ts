import { ByteReader, MalformedError } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";

/** What a client asks of the transport. Ids are Spark's `long`s. */
export type TransportRequest =
  | { readonly kind: "chunk"; readonly streamId: bigint; readonly chunkIndex: number }
  | { readonly kind: "rpc"; readonly requestId: bigint; readonly body: Buffer }
  /** `streamId` is `<stream>_<chunk>`. */
  | { readonly kind: "stream"; readonly streamId: string }
  /** Like `rpc`, without an answer. */
  | { readonly kind: "one-way"; readonly body: Buffer }
  /** `bodyLength` bytes follow outside of the frame. */
  | { readonly kind: "upload"; readonly requestId: bigint; readonly meta: Buffer; readonly bodyLength: bigint }
  | {
      readonly kind: "merged-block-meta";
      readonly requestId: bigint;
      readonly application: string;
      readonly shuffleId: number;
      readonly shuffleMergeId: number;
      readonly reduceId: number;
    }
  /** An answer to something that was never asked. Spark ignores it. */
  | { readonly kind: "unasked-answer" };

/** The first byte of each message (`Message.Type`). */
export const TYPES = {
  chunkRequest: 0,
  chunkSuccess: 1,
  chunkFailure: 2,
  rpcRequest: 3,
  rpcResponse: 4,
  rpcFailure: 5,
  streamRequest: 6,
  streamResponse: 7,
  streamFailure: 8,
  oneWay: 9,
  upload: 10,
  mergedBlockMetaRequest: 11,
  mergedBlockMetaSuccess: 12,
} as const;

/**
 * Reads the content of a frame that a client sent. Bytes after the end of a message are ignored, as Spark does.
 *
 * Source: `common/network-common/.../protocol/MessageDecoder.java` and the classes of the messages, Spark 3.5.9 and 4.1.1.
 *
 * @throws MalformedError if the type is unknown, or the content is too short
 */
export function decodeTransportRequest(frame: Buffer): TransportRequest {
  const reader = new ByteReader(frame);
  const type = reader.byte();
  switch (type) {
    case TYPES.chunkRequest:
      return { kind: "chunk", streamId: reader.long(), chunkIndex: reader.int() };
    case TYPES.rpcRequest: {
      const requestId = reader.long();
      // The length of the body, which the frame says too: Spark does not use it.
      reader.int();
      return { kind: "rpc", requestId, body: reader.rest() };
    }
    case TYPES.streamRequest:
      return { kind: "stream", streamId: reader.text() };
    case TYPES.oneWay:
      reader.int();
      return { kind: "one-way", body: reader.rest() };
    case TYPES.upload:
      return { kind: "upload", requestId: reader.long(), meta: reader.bytes(), bodyLength: reader.long() };
    case TYPES.mergedBlockMetaRequest:
      return {
        kind: "merged-block-meta",
        requestId: reader.long(),
        application: reader.text(),
        shuffleId: reader.int(),
        shuffleMergeId: reader.int(),
        reduceId: reader.int(),
      };
    case TYPES.chunkSuccess:
    case TYPES.chunkFailure:
    case TYPES.rpcResponse:
    case TYPES.rpcFailure:
    case TYPES.streamResponse:
    case TYPES.streamFailure:
    case TYPES.mergedBlockMetaSuccess:
      return { kind: "unasked-answer" };
    default:
      throw new MalformedError(`an unknown type of message: ${type}`);
  }
}

/** The whole frame of a request, with its length. The inverse of {@link decodeTransportRequest}. */
export function encodeTransportRequest(request: Exclude<TransportRequest, { kind: "unasked-answer" }>): Buffer {
  const writer = new ByteWriter().long(0n);
  switch (request.kind) {
    case "chunk":
      writer.byte(TYPES.chunkRequest).long(request.streamId).int(request.chunkIndex);
      break;
    case "rpc":
      writer.byte(TYPES.rpcRequest).long(request.requestId).bytes(request.body);
      break;
    case "stream":
      writer.byte(TYPES.streamRequest).text(request.streamId);
      break;
    case "one-way":
      writer.byte(TYPES.oneWay).bytes(request.body);
      break;
    case "upload":
      writer.byte(TYPES.upload).long(request.requestId).bytes(request.meta).long(request.bodyLength);
      break;
    case "merged-block-meta":
      writer.byte(TYPES.mergedBlockMetaRequest).long(request.requestId).text(request.application);
      writer.int(request.shuffleId).int(request.shuffleMergeId).int(request.reduceId);
      break;
  }
  return framed(writer);
}

/** Fills in the length of a frame, which begins with eight bytes for it. */
export function framed(writer: ByteWriter, bodyLength = 0): Buffer {
  const frame = writer.written();
  frame.writeBigInt64BE(BigInt(frame.length + bodyLength), 0);
  return frame;
}
