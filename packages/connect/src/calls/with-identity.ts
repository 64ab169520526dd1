import { GrpcError } from "../grpc/grpc-status.ts";
import { messagePrefix } from "../grpc/message-prefix.ts";
import { FieldScanner } from "../protobuf/field-scanner.ts";
import { ProtobufError } from "../protobuf/protobuf-error.ts";
import { writeMessage } from "../protobuf/write-message.ts";
import { type Opening, SESSION_ID, USER_CONTEXT } from "./opening.ts";

const NO_FIELDS: ReadonlySet<number> = new Set();

/** The body of a call as it is sent on. */
export interface PassedBody {
  /** Its beginning, to be sent first. */
  readonly begun: Buffer;
  /**
   * What is sent on for the next bytes that came.
   *
   * @throws GrpcError
   */
  readonly pass: (bytes: Buffer) => readonly Buffer[];
  /**
   * Tells that nothing follows.
   *
   * @throws GrpcError if the first message has not come as a whole
   */
  readonly end: () => void;
}

/**
 * Passes the body of a call on, with one change: at the end of its first message stand the session that the call was read to
 * be for, and the user who was authenticated. Protobuf takes the last of several values of a field, so the server behind
 * believes these and nothing else. A message whose last field would swallow them is refused. No long message is in memory as a
 * whole.
 *
 * @throws GrpcError
 */
export function withIdentity({ sessionId, length, read }: Opening, user: string): PassedBody {
  const identity = writeMessage([SESSION_ID, sessionId], [USER_CONTEXT, writeMessage([1, user], [2, user])]);
  const scanner = new FieldScanner(length, NO_FIELDS, () => undefined);
  let left = length;

  function pass(bytes: Buffer): readonly Buffer[] {
    if (left === 0) return [bytes];
    const inMessage = bytes.subarray(0, left);
    try {
      scanner.push(inMessage);
    } catch (error) {
      throw error instanceof ProtobufError ? new GrpcError("INVALID_ARGUMENT", error.message) : error;
    }
    left -= inMessage.length;
    return left > 0 ? [inMessage] : [inMessage, identity, bytes.subarray(inMessage.length)];
  }

  function end(): void {
    if (left > 0) throw new GrpcError("INVALID_ARGUMENT", "the call ended before its first message did");
  }

  return { begun: Buffer.concat([messagePrefix(length + identity.length), ...pass(read)]), pass, end };
}
