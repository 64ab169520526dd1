import { TLSSocket } from "node:tls";
import { clientOfAddress } from "@kindling/service";
import type { FastifyRequest } from "fastify";
import type { Authenticator, Credentials, Identity, Right } from "../auth/authenticator.ts";
import { ProblemError } from "../errors/problem-error.ts";

/** The identity of each request, after authentication. */
const callers = new WeakMap<FastifyRequest, Identity>();

/**
 * Authenticates a request.
 *
 * @throws ProblemError `unauthorized`, `unavailable`, `overloaded`
 */
export async function identify(authenticator: Authenticator, request: FastifyRequest): Promise<Identity> {
  const credentials = credentialsOf(request);
  const found = await authenticator.authenticate(credentials);
  if (found === undefined || "refused" in found) {
    const isBare = credentials.bearer === undefined && credentials.certificate === undefined;
    const why = isBare ? "no credentials were sent" : "the credentials are not accepted";
    throw new ProblemError("unauthorized", found?.refused ?? why, { hint: `send ${authenticator.wanted}` });
  }
  callers.set(request, found);
  return found;
}

/** The identity of a request; undefined if it has not been authenticated. */
export function callerIfKnown(request: FastifyRequest): Identity | undefined {
  return callers.get(request);
}

/** The identity of an authenticated request. */
export function callerOf(request: FastifyRequest): Identity {
  const identity = callers.get(request);
  if (identity === undefined) throw new ProblemError("unauthorized");
  return identity;
}

/** @throws ProblemError `forbidden`, `unavailable` */
export async function demand(identity: Identity, right: Right, namespace: string): Promise<void> {
  const decision = await identity.may(right, namespace);
  if (!decision.allowed) throw new ProblemError("forbidden", decision.reason, { hint: decision.hint });
}

function credentialsOf({ headers, raw, ip }: FastifyRequest): Credentials {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return { bearer, certificate: commonNameOf(raw.socket), client: clientOfAddress(ip) };
}

function commonNameOf(socket: unknown): string | undefined {
  // `authorized` is false without a certificate, and for one that the configured CA has not signed.
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const name: unknown = socket.getPeerCertificate().subject?.CN;
  return typeof name === "string" ? name : undefined;
}
