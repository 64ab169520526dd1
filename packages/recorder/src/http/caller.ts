import { CREDENTIALS_FIELDS } from "@kindling/core-spec";
import { clientOfAddress } from "@kindling/service";
import type { FastifyRequest } from "fastify";
import type { DriverPods } from "./driver-pods.ts";
import { ProblemError } from "./problem.ts";
import type { Reader, Readers } from "./readers.ts";

const callers = new WeakMap<FastifyRequest, Reader>();
const drivers = new WeakMap<FastifyRequest, string>();

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

/** Finds out which driver's pod has sent a request. */
export async function identifyDriver(pods: DriverPods, request: FastifyRequest): Promise<void> {
  drivers.set(request, await pods(tokenOf(request), clientOfAddress(request.ip)));
}

/** The uid of the driver's pod that has sent a request. */
export function driverOf(request: FastifyRequest): string {
  const uid = drivers.get(request);
  if (uid === undefined) throw new ProblemError("unauthorized");
  return uid;
}

/** A request through the API server's proxy has its token in a field of its own. */
function tokenOf({ headers }: FastifyRequest): string | undefined {
  const [usual, proxied] = CREDENTIALS_FIELDS.map((name) => headers[name]);
  const value = proxied ?? usual;
  return /^Bearer +(\S+)$/i.exec(typeof value === "string" ? value : "")?.[1];
}
