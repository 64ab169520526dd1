import type { CalledDriver, DriverConnections } from "../drivers/driver-connections.ts";
import { driverGone } from "../drivers/driver-connections.ts";
import type { Fields } from "../hpack/static-table.ts";
import { valueOf } from "../http2/check-fields.ts";
import { ERROR } from "../http2/frame.ts";
import type { Http2Stream } from "../http2/http2-stream.ts";
import { endCall } from "./end-call.ts";
import type { PassedBody } from "./with-identity.ts";

export interface ForwardedCall {
  /** The call, whose user was authenticated. */
  readonly stream: Http2Stream;
  readonly headers: Fields;
  readonly body: PassedBody;
}

/** How a call ended. */
export type CallEnd =
  /** The driver has said how it ended. */
  | { readonly kind: "answered"; readonly status: string }
  /** The client went away, or its driver did. */
  | { readonly kind: "broken"; readonly by: "client" | "driver" };

/** Headers that say something between the client and this service only, or that this service says itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "authentication",
  "authorization",
  "content-length",
  "cookie",
  "forwarded",
  "host",
  "proxy-authorization",
  "te",
  "x-profile",
  "x-queue",
]);

/**
 * Passes a call to its driver, and the driver's answer back, as they come: with the flow control of both sides, so that a slow
 * reader slows its driver down and fills no memory here.
 */
export function forwardCall(
  { stream, headers, body }: ForwardedCall,
  driver: CalledDriver,
  connections: DriverConnections,
): Promise<CallEnd> {
  if (stream.end !== undefined) return Promise.resolve({ kind: "broken", by: "client" });
  return new Promise((resolve) => {
    const upstream = connections.call(driver, valueOf(headers, ":path") ?? "/", passedOf(headers));
    let status: string | undefined;
    let isOver = false;
    const end = (how: CallEnd, error?: unknown): void => {
      if (isOver) return;
      isOver = true;
      upstream.reset(ERROR.CANCEL);
      if (error !== undefined) endCall(stream, error);
      resolve(how);
    };
    stream.onEnd = ({ kind }) =>
      end(
        kind === "finished" && status !== undefined ? { kind: "answered", status } : { kind: "broken", by: "client" },
      );
    upstream.onEnd = (how) => {
      // The rest of a whole answer is still on its way to the client.
      if (status === undefined) end({ kind: "broken", by: "driver" }, driverGone(how));
    };
    stream.onSent = (bytes) => upstream.consumed(bytes);
    upstream.receive({
      headers: (fields) => stream.sendHeaders(fields),
      data: (piece) => stream.write(piece),
      end(fields = []) {
        status = valueOf(fields, "grpc-status");
        if (status === undefined) end({ kind: "broken", by: "driver" }, driverGone("its answer has no status"));
        else if (stream.headersSent) stream.finish(fields);
        // A call that failed at once has its status in the only headers.
        else stream.sendHeaders(fields, true);
      },
    });
    upstream.onSent = (bytes) => stream.consumed(bytes);
    upstream.write({ bytes: body.begun });
    sendOn(stream, body, upstream, (error) => end({ kind: "broken", by: "client" }, error));
  });
}

/** Sends what follows of a request on. */
function sendOn(stream: Http2Stream, body: PassedBody, upstream: Http2Stream, fail: (error: unknown) => void): void {
  const unlessWrong = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      fail(error);
    }
  };
  stream.receive({
    data: ({ bytes }) => unlessWrong(() => body.pass(bytes).forEach((part) => upstream.write({ bytes: part }))),
    end: () =>
      unlessWrong(() => {
        body.end();
        upstream.finish();
      }),
  });
}

/** The headers of a call that are for its driver. */
function passedOf(headers: Fields): Fields {
  return headers.filter(([name]) => !name.startsWith(":") && !OWN_HEADERS.has(name));
}
