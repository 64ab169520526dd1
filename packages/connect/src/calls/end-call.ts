import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { GRPC_CONTENT_TYPE } from "../grpc/methods.ts";
import { GrpcError } from "../grpc/grpc-status.ts";
import { messagePrefix } from "../grpc/message-prefix.ts";
import { statusTrailers } from "../grpc/status-trailers.ts";

/**
 * Ends a call with a status. If its answer has begun, the status follows what was sent of it; a client never takes half an
 * answer for a whole one.
 */
export function endCall(stream: ServerHttp2Stream, error: unknown): void {
  if (stream.destroyed || stream.closed) return;
  const status = asGrpcError(error);
  // The rest of the request is not read any more, and must not fill memory.
  stream.resume();
  if (!stream.headersSent) {
    const headers: OutgoingHttpHeaders = {
      ":status": 200,
      "content-type": GRPC_CONTENT_TYPE,
      ...statusTrailers(status),
    };
    stream.respond(headers, { endStream: true });
    // An answer that ends before the request does is followed by a reset without an error (RFC 9113, 8.1).
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    return;
  }
  stream.once("wantTrailers", () => stream.sendTrailers(statusTrailers(status)));
  stream.end();
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
export function answerEmpty(stream: ServerHttp2Stream): void {
  answerWith(stream, EMPTY_MESSAGE);
}

/** Answers a health check of gRPC, which needs no token. */
export function answerHealthy(stream: ServerHttp2Stream): void {
  answerWith(stream, SERVING);
}

function answerWith(stream: ServerHttp2Stream, message: Buffer): void {
  if (stream.destroyed || stream.closed) return;
  stream.resume();
  stream.respond({ ":status": 200, "content-type": GRPC_CONTENT_TYPE }, { waitForTrailers: true });
  stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.end(message);
}
