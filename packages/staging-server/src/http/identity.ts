import { TLSSocket } from "node:tls";
import type { FastifyRequest } from "fastify";
import type { Credentials, Identity } from "../auth/authenticator.ts";
import type { ServerContext } from "../context.ts";
import { ProblemError } from "../problem-error.ts";

/** What a request says about its sender. */
export function credentialsOf(request: FastifyRequest): Credentials {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  return { bearer, certificate: certificateOf(request) };
}

function certificateOf(request: FastifyRequest): Credentials["certificate"] {
  const { socket } = request.raw;
  // `authorized` is false without a certificate, and for one that the configured authority has not signed.
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  const organizations: unknown = subject?.O;
  if (typeof subject?.CN !== "string") return undefined;
  const groups = Array.isArray(organizations) ? organizations.map(String) : [];
  return { name: subject.CN, groups: typeof organizations === "string" ? [organizations] : groups };
}

/** @throws ProblemError `unauthorized` */
export async function identify(context: ServerContext, request: FastifyRequest): Promise<Identity> {
  const identity = await context.authenticator.authenticate(credentialsOf(request));
  if (identity === undefined) {
    throw new ProblemError("unauthorized", undefined, { headers: { "www-authenticate": "Bearer" } });
  }
  return identity;
}

/** @throws ProblemError `unauthorized`, `forbidden` */
export async function requireUpload(
  context: ServerContext,
  request: FastifyRequest,
  namespace: string,
): Promise<Identity> {
  const identity = await identify(context, request);
  await requireUploadBy(identity, namespace);
  return identity;
}

export async function requireUploadBy(identity: Identity, namespace: string): Promise<void> {
  const decision = await identity.mayUpload(namespace);
  if (!decision.allowed) throw new ProblemError("forbidden", decision.reason);
}

/** @throws ProblemError `unauthorized`, `forbidden` */
export async function requireAdministrator(context: ServerContext, request: FastifyRequest): Promise<Identity> {
  const identity = await identify(context, request);
  if (await identity.mayAdminister()) return identity;
  throw new ProblemError("forbidden", `${identity.subject} may not administer this server`);
}
