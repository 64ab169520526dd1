import type { FastifyRequest } from "fastify";

/** A header field that may come once; `undefined` if it is absent, or there several times. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
