import { CREDENTIALS_FIELDS } from "@kindling/core-spec";
import { clientOfAddress } from "@kindling/service";
import type { FastifyRequest } from "fastify";
import { ProblemError } from "./problem.ts";
import type { Reader, Readers } from "./readers.ts";

const callers = new WeakMap<FastifyRequest, Reader>();

/** Finds out who has sent a request. */
export async function identify(readers: Readers, request: FastifyRequest): Promise<void> {
  callers.set(request, await readers(tokenOf(request), clientOfAddress(request.ip)));
}

/** The reader who has sent a request. */
export function callerOf(request: FastifyRequest): Reader {
  const reader = callers.get(request);
  if (reader === undefined) throw new ProblemError("unauthorized");
  return reader;
}

/** A request through the API server's proxy has its token in a field of its own. */
function tokenOf({ headers }: FastifyRequest): string | undefined {
  const [usual, proxied] = CREDENTIALS_FIELDS.map((name) => headers[name]);
  const value = proxied ?? usual;
  return /^Bearer +(\S+)$/i.exec(typeof value === "string" ? value : "")?.[1];
}
