import type { IncomingMessage } from "node:http";

/** The announced length of a request's body in bytes; `undefined` if it comes in chunks, without one. */
export function contentLength(request: IncomingMessage): number | undefined {
  const field = request.headers["content-length"];
  if (field !== undefined && /^\d{1,15}$/.test(field)) return Number(field);
  return request.headers["transfer-encoding"] === undefined ? 0 : undefined;
}
