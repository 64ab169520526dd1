import type { Clock } from "@kindling/outside";
import { GrpcError } from "../grpc/grpc-status.ts";
import { PREFIX_BYTES } from "../grpc/message-prefix.ts";
import type { Http2Stream } from "../http2/http2-stream.ts";
import { FieldScanner } from "../protobuf/field-scanner.ts";
import { ProtobufError } from "../protobuf/protobuf-error.ts";

/** The beginning of a call's body: all that was read to know its session. */
export interface Opening {
  readonly sessionId: string;
  /** Bytes of the first message, which may not have come yet. */
  readonly length: number;
  /** What was read of it, and of what follows. */
  readonly read: Buffer;
}

/** Each request of Spark Connect has these fields. */
export const SESSION_ID = 1;
export const USER_CONTEXT = 2;

/** Clients write the session first. One that hides it behind more than this is refused. */
const LONGEST_OPENING = 64 * 1024;
const SESSION_ID_FIELD: ReadonlySet<number> = new Set([SESSION_ID]);

/**
 * Reads the body of a call until its session is known. The rest stays in the stream.
 *
 * @param longest most bytes of the first message
 * @param patience how long to wait for it
 * @throws GrpcError
 */
export function readOpening(
  stream: Http2Stream,
  longest: number,
  { clock, milliseconds }: { readonly clock: Pick<Clock, "after">; readonly milliseconds: number },
): Promise<Opening> {
  // A receiver and one timer: abort signals would cost each call as much as all the rest.
  return new Promise((resolve, reject) => {
    let read: Buffer = Buffer.alloc(0);
    const settle = (settled: () => void): void => {
      cancel();
      stream.receive(undefined);
      stream.onEnd = undefined;
      settled();
    };
    const fail = (error: unknown): void => settle(() => reject(error));
    const cancel = clock.after(milliseconds, () =>
      fail(new GrpcError("DEADLINE_EXCEEDED", "the first message of the call did not come in time")),
    );
    const brokenOff = (): void => fail(new GrpcError("CANCELLED", "the call was broken off"));
    if (stream.end !== undefined) {
      brokenOff();
      return;
    }
    stream.onEnd = brokenOff;
    stream.receive({
      data({ bytes }) {
        stream.consumed(bytes.length);
        read = Buffer.concat([read, bytes]);
        try {
          const opening = openingIn(read, longest);
          if (opening !== undefined) settle(() => resolve(opening));
        } catch (error) {
          fail(error);
        }
      },
      end: () => fail(new GrpcError("INVALID_ARGUMENT", "the call ended before its first message did")),
    });
  });
}

/** @returns `undefined` if more of it is needed */
function openingIn(bytes: Buffer, longest: number): Opening | undefined {
  if (bytes.length < PREFIX_BYTES) return undefined;
  const length = lengthOf(bytes, longest);
  const read = bytes.subarray(PREFIX_BYTES);
  const sessionId = sessionOf(read.subarray(0, length), length);
  if (sessionId !== undefined) return { sessionId, length, read };
  if (read.length >= Math.min(length, LONGEST_OPENING))
    throw new GrpcError("INVALID_ARGUMENT", "the request does not begin with a session_id");
  return undefined;
}

function lengthOf(prefix: Buffer, longest: number): number {
  if (prefix[0] !== 0)
    throw new GrpcError("UNIMPLEMENTED", "compressed messages are not accepted; send them as identity");
  const length = prefix.readUInt32BE(1);
  if (length > longest)
    throw new GrpcError("RESOURCE_EXHAUSTED", `a message has ${length} bytes, and at most ${longest} are accepted`);
  return length;
}

/** @param length of the whole message, bytes */
function sessionOf(beginning: Buffer, length: number): string | undefined {
  let sessionId: string | undefined;
  try {
    new FieldScanner(length, SESSION_ID_FIELD, ({ value }) => (sessionId ??= value.toString("latin1"))).push(beginning);
  } catch (error) {
    if (error instanceof ProtobufError) throw new GrpcError("INVALID_ARGUMENT", error.message);
    throw error;
  }
  // Spark takes only UUIDs (SessionHolder, INVALID_HANDLE.FORMAT).
  if (sessionId === undefined || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(sessionId)) return sessionId;
  throw new GrpcError(
    "INVALID_ARGUMENT",
    "The handle is invalid. Handle must be an UUID string of the format '00112233-4455-6677-8899-aabbccddeeff'.",
    {
      sparkErrorClass: "INVALID_HANDLE.FORMAT",
    },
  );
}
