import { Transform, type TransformCallback } from "node:stream";
import { GrpcError } from "../grpc/grpc-status.ts";
import { messagePrefix } from "../grpc/message-prefix.ts";
import { FieldScanner } from "../protobuf/field-scanner.ts";
import { ProtobufError } from "../protobuf/protobuf-error.ts";
import { writeMessage } from "../protobuf/write-message.ts";
import { type Opening, SESSION_ID, USER_CONTEXT } from "./opening.ts";

const NO_FIELDS: ReadonlySet<number> = new Set();

/**
 * Passes the body of a call on, with one change: at the end of its first message stand the session that the call was read to
 * be for, and the user who was authenticated. Protobuf takes the last of several values of a field, so the server behind
 * believes these and nothing else. A message whose last field would swallow them is refused. No message is in memory as a whole.
 *
 * @returns a stream that the rest of the body is piped into; it fails with a GrpcError
 */
export function withIdentity({ sessionId, length, read }: Opening, user: string): Transform {
  const identity = writeMessage([SESSION_ID, sessionId], [USER_CONTEXT, writeMessage([1, user], [2, user])]);
  const scanner = new FieldScanner(length, NO_FIELDS, () => undefined);
  let left = length;

  /** The next bytes as they are sent on. */
  function passed(chunk: Buffer): Buffer[] {
    if (left === 0) return [chunk];
    const inMessage = chunk.subarray(0, left);
    scanner.push(inMessage);
    left -= inMessage.length;
    return left > 0 ? [inMessage] : [inMessage, identity, chunk.subarray(inMessage.length)];
  }

  const stream = new Transform({
    transform(chunk: Buffer, _, done: TransformCallback) {
      try {
        for (const part of passed(chunk)) if (part.length > 0) this.push(part);
        done();
      } catch (error) {
        done(error instanceof ProtobufError ? new GrpcError("INVALID_ARGUMENT", error.message) : (error as Error));
      }
    },
    flush(done) {
      if (left === 0) done();
      else done(new GrpcError("INVALID_ARGUMENT", "the call ended before its first message did"));
    },
  });
  stream.push(messagePrefix(length + identity.length));
  stream.write(read);
  return stream;
}
