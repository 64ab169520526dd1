export { ByteReader, MalformedError, Texts } from "./protocol/byte-reader.ts";
export { ByteWriter } from "./protocol/byte-writer.ts";
export {
  decodeBlockMessage,
  encodeBlockMessage,
  type BlockMessage,
  type ExecutorFiles,
  type MergeMessage,
  type ShuffleBlocks,
  type TextList,
  type WrittenMessage,
} from "./protocol/block-message.ts";
export { FrameReader, MOST_FRAME_BYTES } from "./protocol/frame-reader.ts";
export {
  decodeTransportAnswer,
  encodeTransportAnswer,
  type ReceivedAnswer,
  type TransportAnswer,
} from "./protocol/transport-answer.ts";
export { decodeTransportRequest, encodeTransportRequest, type TransportRequest } from "./protocol/transport-request.ts";
export { blockPlace, type BlockPlace } from "./blocks/block-path.ts";
export { checksum, type Checksum, type ChecksumAlgorithm } from "./blocks/checksum.ts";
export { serveShuffle, type ServeOptions, type ShuffleServer } from "./server/serve-shuffle.ts";
export { DEFAULT_PORT, readSettings, VARIABLES, type Settings } from "./server/settings.ts";
