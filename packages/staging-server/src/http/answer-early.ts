import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "@kindling/staging-client";
import { isHeldBack } from "./continue.ts";

export interface EarlyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// How much of an unwanted body is read and thrown away, and for how long, so that its sender gets to read the answer.
const LINGER_BYTES = 4 * 1024 * 1024;
const LINGER_MS = 2_000;

/**
 * Answers a request whose body is not wanted. A body that is still coming is not read to its end; but closing a
 * connection on which bytes arrive resets it, and the client would never see the answer. So the answer goes out whole,
 * the connection stays open for a moment, and then closes.
 */
export function answerEarly(request: FastifyRequest, reply: FastifyReply, answer: EarlyAnswer, clock: Clock): void {
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
  if (isHeldBack(request.raw)) reply.raw.end();
  else linger(request.raw, reply.raw, clock);
}

function hasUnreadBody(request: IncomingMessage): boolean {
  if (request.complete || request.destroyed) return false;
  const length = request.headers["content-length"];
  return request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function linger(request: IncomingMessage, response: ServerResponse, clock: Clock): void {
  let bytes = 0;
  const close = (): void => {
    cancel();
    request.off("data", count).off("end", close).off("close", close).off("error", close);
    request.on("error", () => undefined);
    response.end();
    // Whatever still comes is not worth reading.
    if (!request.complete) response.on("finish", () => request.destroy());
  };
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) close();
  };
  const cancel = clock.after(LINGER_MS, close);
  request.on("data", count).on("end", close).on("close", close).on("error", close);
  request.resume();
}
