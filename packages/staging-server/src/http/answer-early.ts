import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "@kindling/outside";
import type { FairPool } from "@kindling/service";
import type { ChunkReleaser } from "../memory/chunk-releaser.ts";
import { isHeldBack } from "./continue.ts";

export interface EarlyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is needed to keep a connection open for a moment after the answer. */
export interface Lingering {
  readonly clock: Clock;
  /**
   * How many connections stay open so at a time, by client. Others are closed at once, and their clients may not see the
   * answer.
   */
  readonly places: FairPool;
  /** Frees the memory of discarded bytes at once. */
  readonly release: ChunkReleaser;
}

export const MOST_LINGERING = 16;

// How much of an unwanted body is read and discarded, and for how long, so that its sender can read the answer. Strangers
// get less: they see the answer only if they read while they send.
const LINGER_BYTES = { known: 4 * 1024 * 1024, stranger: 128 * 1024 } as const;
const LINGER_MS = 2_000;
const LEAST_PIECE = 1024;

/**
 * Answers a request whose body is not wanted. A body that is still coming is not read to its end; but closing a
 * connection on which bytes arrive resets it, and the client would never see the answer. So the whole answer is sent, the
 * connection stays open for a moment, and then it is closed.
 */
export function answerEarly(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: EarlyAnswer,
  lingering: Lingering,
): void {
  const { status, headers, body } = answer;
  if (!hasUnreadBody(request.raw)) {
    void reply
      .code(status)
      .headers(headers)
      .send(body === "" ? undefined : Buffer.from(body));
    return;
  }
  reply.hijack();
  const bytes = Buffer.from(request.method === "HEAD" ? "" : body);
  reply.raw.writeHead(status, {
    ...headers,
    "content-length": bytes.length,
    "request-id": request.id,
    connection: "close",
  });
  reply.raw.write(bytes);
  const leave = isHeldBack(request.raw) ? undefined : lingering.places.take(request.client);
  const most = LINGER_BYTES[request.caller === null ? "stranger" : "known"];
  if (leave !== undefined) linger(request.raw, reply.raw, { ...lingering, most, leave });
  else reply.raw.end(() => request.raw.destroy());
}

function hasUnreadBody(request: IncomingMessage): boolean {
  if (request.complete || request.destroyed) return false;
  const length = request.headers["content-length"];
  return request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function linger(
  request: IncomingMessage,
  response: ServerResponse,
  { clock, release, most, leave }: Lingering & { readonly most: number; readonly leave: () => void },
): void {
  let bytes = 0;
  const close = (): void => {
    cancel();
    leave();
    request.off("data", count).off("end", close).off("close", close).off("error", close);
    request.on("error", () => undefined);
    response.end();
    // Bytes that still arrive are not read.
    if (!request.complete) response.on("finish", () => request.destroy());
  };
  const count = (chunk: Buffer): void => {
    // Each piece has a cost, however small it is.
    bytes += Math.max(LEAST_PIECE, chunk.length);
    release([chunk]);
    if (bytes > most) close();
  };
  const cancel = clock.after(LINGER_MS, close);
  request.on("data", count).on("end", close).on("close", close).on("error", close);
  request.resume();
}
