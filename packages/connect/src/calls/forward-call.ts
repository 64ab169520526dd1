import type { ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import { constants } from "node:http2";
import type { CalledDriver, DriverConnections } from "../drivers/driver-connections.ts";
import { driverGone } from "../drivers/driver-connections.ts";
import { endCall } from "./end-call.ts";
import type { OpenCall } from "./open-calls.ts";
import type { PassedBody } from "./with-identity.ts";

export interface ForwardedCall {
  /** The call, whose user was authenticated. */
  readonly call: OpenCall;
  readonly headers: IncomingHttpHeaders;
  readonly body: PassedBody;
}

/** How a call ended. */
export type CallEnd =
  /** The driver has said how it ended. */
  | { readonly kind: "answered"; readonly status: string }
  /** The client went away, or its driver did. */
  | { readonly kind: "broken"; readonly by: "client" | "driver" };

/** Headers that say something between the client and this service only. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "authentication",
  "authorization",
  "cookie",
  "forwarded",
  "host",
  "proxy-authorization",
  "x-profile",
  "x-queue",
]);

/**
 * Passes a call to its driver, and the driver's answer back, as they come: with the flow control of both sides, so that a slow
 * reader slows its driver down and fills no memory here.
 */
export function forwardCall(
  { call, headers, body: { begun, through } }: ForwardedCall,
  driver: CalledDriver,
  connections: DriverConnections,
): Promise<CallEnd> {
  const { stream } = call;
  return new Promise((resolve) => {
    const upstream = connections.to(driver).request(headersFor(headers, driver), { endStream: false });
    const answer = new Answer(upstream, call, (status) => end({ kind: "answered", status }));
    let isOver = false;
    const end = (how: CallEnd, error?: unknown): void => {
      if (isOver) return;
      isOver = true;
      if (error !== undefined) endCall(stream, error);
      if (!upstream.destroyed && how.kind === "broken") upstream.close(constants.NGHTTP2_CANCEL);
      stream.unpipe();
      resolve(how);
    };
    const driverEnded = (cause?: unknown): void => {
      // The rest of a whole answer is still on its way to the client.
      if (!answer.isWhole) end({ kind: "broken", by: "driver" }, driverGone(cause));
    };
    through?.on("error", (error) => end({ kind: "broken", by: "client" }, error));
    stream.on("error", () => end({ kind: "broken", by: "client" }));
    stream.on("close", () => end({ kind: "broken", by: "client" }));
    upstream.on("error", driverEnded);
    upstream.on("close", () => driverEnded());
    upstream.write(begun);
    (through === undefined ? stream : stream.pipe(through)).pipe(upstream);
  });
}

function headersFor(headers: IncomingHttpHeaders, { token }: CalledDriver): OutgoingHttpHeaders {
  const passed = Object.entries(headers).filter(([name]) => !name.startsWith(":") && !OWN_HEADERS.has(name));
  return {
    ":method": "POST",
    ":path": headers[":path"],
    ...Object.fromEntries(passed),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    // Answers pass by unread, so the client must be able to read what the driver sends.
    te: "trailers",
  };
}

/** A driver's answer on its way to the client. */
class Answer {
  #trailers: OutgoingHttpHeaders | undefined;

  /** @param onSent called with gRPC's status when the answer has been sent as a whole */
  constructor(upstream: ClientHttp2Stream, call: OpenCall, onSent: (status: string) => void) {
    const { stream } = call;
    upstream.on("data", (chunk: Buffer) => (call.received += chunk.length));
    // It flows only when it is piped.
    upstream.pause();
    upstream.on("trailers", (received) => (this.#trailers = withoutPseudo(received)));
    upstream.on("response", (received, flags) => {
      if (stream.destroyed || stream.headersSent) return;
      const headers = { ":status": received[":status"], ...withoutPseudo(received) };
      if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
        // A call that failed at once has its status in the only headers.
        this.#trailers = headers;
        upstream.resume();
        stream.respond(headers, { endStream: true });
        stream.resume();
        onSent(statusOf(received));
        return;
      }
      stream.respond(headers, { waitForTrailers: true });
      stream.on("wantTrailers", () => {
        const trailers = this.#trailers;
        if (trailers === undefined) return;
        stream.sendTrailers(trailers);
        onSent(statusOf(trailers));
      });
      upstream.on("end", () => {
        if (this.isWhole) stream.end();
      });
      upstream.pipe(stream, { end: false });
    });
  }

  /** Whether all of the answer has come from the driver. */
  get isWhole(): boolean {
    return this.#trailers !== undefined;
  }
}

function statusOf(headers: IncomingHttpHeaders | OutgoingHttpHeaders): string {
  return String(headers["grpc-status"] ?? "");
}

function withoutPseudo(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(":")));
}
