import { GRPC_CONTENT_TYPE } from "../grpc/methods.ts";
import { GrpcError } from "../grpc/grpc-status.ts";
import { messagePrefix } from "../grpc/message-prefix.ts";
import { statusTrailers } from "../grpc/status-trailers.ts";
import type { Fields } from "../hpack/static-table.ts";
import type { Http2Stream } from "../http2/http2-stream.ts";

const HEADERS: Fields = [
  [":status", "200"],
  ["content-type", GRPC_CONTENT_TYPE],
];

/**
 * Ends a call with a status. If its answer has begun, the status follows what was sent of it; a client never takes half an
 * answer for a whole one.
 */
export function endCall(stream: Http2Stream, error: unknown): void {
  const trailers = statusTrailers(asGrpcError(error));
  if (stream.headersSent) stream.finish(trailers);
  else stream.sendHeaders([...HEADERS, ...trailers], true);
}

/** Errors that nobody foresaw are told without their text, which may have secrets. */
export function asGrpcError(error: unknown): GrpcError {
  if (error instanceof GrpcError) return error;
  return new GrpcError("INTERNAL", "kindling-connect met a fault of its own; its log says which", { cause: error });
}

const EMPTY_MESSAGE = messagePrefix(0);
/** `HealthCheckResponse` with the status SERVING (grpc/health/v1/health.proto). */
const SERVING = Buffer.from([0, 0, 0, 0, 2, 8, 1]);

/** Answers a call with a message that has no fields. */
export function answerEmpty(stream: Http2Stream): void {
  answerWith(stream, EMPTY_MESSAGE);
}

/** Answers a health check of gRPC, which needs no token. */
export function answerHealthy(stream: Http2Stream): void {
  answerWith(stream, SERVING);
}

function answerWith(stream: Http2Stream, message: Buffer): void {
  stream.sendHeaders(HEADERS);
  stream.write({ bytes: message });
  stream.finish([["grpc-status", "0"]]);
}
