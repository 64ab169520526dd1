/** Bytes that are no Protobuf message, or none that is accepted here. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}
