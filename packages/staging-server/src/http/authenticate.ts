import { TLSSocket } from "node:tls";
import { clientOfAddress } from "@kindling/service";
import type { FastifyRequest } from "fastify";
import { CREDENTIALS_FIELDS } from "@kindling/staging-client";
import type { Authenticator, Credentials, Identity } from "../auth/authenticator.ts";
import { openBundle, secretOf, type FindableBundles } from "../bundles/bundle-access.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { ProblemError } from "../errors/problem-error.ts";
import type { BundleRecord } from "../metadata/bundle-record.ts";
import type { Bundles } from "../metadata/bundles.ts";
import type { Caller, RouteAccess } from "./caller.ts";

/** What the credentials of a request are checked with. */
export interface AuthenticationContext extends FindableBundles {
  readonly authenticator: Authenticator;
  readonly config: Pick<ServerConfig, "v0.uploads">;
}

/**
 * Finds out from a request's headers who sent it.
 *
 * @throws ProblemError `unauthorized`, `forbidden`, `not-found`, `too-many-requests`, `store-unavailable`
 */
export async function authenticate(
  context: AuthenticationContext,
  request: FastifyRequest,
  access: RouteAccess,
): Promise<Caller> {
  switch (access) {
    case "anybody":
      return { kind: "anybody" };
    case "identity":
      return { kind: "identity", identity: await identify(context, request) };
    case "secret":
      return { kind: "bundle", bundle: await bundleBySecret(context, request) };
    case "secret-or-right":
      return { kind: "bundle", bundle: await bundleBySecretOrRight(context, request) };
    case "v0-secret":
      return { kind: "bundle", bundle: await resourceBySecret(context, request) };
    case "v0-upload":
      return await v0Submitter(context, request);
  }
}

async function identify(context: AuthenticationContext, request: FastifyRequest): Promise<Identity> {
  const identity = await context.authenticator.authenticate(credentialsOf(request));
  if (identity !== undefined) return identity;
  throw new ProblemError("unauthorized", undefined, { headers: { "www-authenticate": "Bearer" } });
}

/** What a request says about its sender. */
function credentialsOf(request: FastifyRequest): Credentials {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(credentialsField(request) ?? "") ?? [];
  return { bearer, certificate: certificateOf(request), client: clientOfAddress(request.ip) };
}

/**
 * The field that has the credentials. A request through the API server's proxy has them in a field of its own. Its
 * `Authorization` is then not meant for this server.
 */
function credentialsField({ headers }: FastifyRequest): string | undefined {
  const [usual, proxied] = CREDENTIALS_FIELDS.map((name) => headers[name]);
  const value = proxied ?? usual;
  return typeof value === "string" ? value : undefined;
}

function certificateOf(request: FastifyRequest): Credentials["certificate"] {
  const { socket } = request.raw;
  // `authorized` is false if there is no certificate, or if the configured authority has not signed it.
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  const organizations: unknown = subject?.O;
  if (typeof subject?.CN !== "string") return undefined;
  const groups = Array.isArray(organizations) ? organizations.map(String) : [];
  return { name: subject.CN, groups: typeof organizations === "string" ? [organizations] : groups };
}

function idOf(request: FastifyRequest): string {
  return (request.params as { readonly id: string }).id;
}

/** Refuses a wrong secret and a bundle that does not exist in the same way. */
async function bundleBySecret(context: AuthenticationContext, request: FastifyRequest): Promise<BundleRecord> {
  const opened = await openBundle(context, idOf(request), secretOf(credentialsField(request)));
  if (opened.outcome !== "open") throw new ProblemError("unauthorized");
  return opened.record;
}

/** For callers with the secret, and for callers that may upload for the bundle's namespace. */
async function bundleBySecretOrRight(context: AuthenticationContext, request: FastifyRequest): Promise<BundleRecord> {
  const opened = await openBundle(context, idOf(request), secretOf(credentialsField(request)));
  if (opened.outcome === "open") return opened.record;
  const identity = await identify(context, request);
  return await bundleByRight(context, identity, idOf(request));
}

/** If the bundle is in a namespace of others, the answer does not even reveal that it exists. */
export async function bundleByRight(
  { bundles }: { readonly bundles: Bundles },
  identity: Identity,
  id: string,
): Promise<BundleRecord> {
  const record = (await bundles.records.get(id))?.value;
  const exists = record !== undefined && record.state !== "deleted";
  if (exists && (await identity.mayUpload(record.owner.ownerNamespace)).allowed) return record;
  throw new ProblemError("not-found", "there is no such bundle");
}

/** The old server's answers: 401 and 404 are different cases. */
async function resourceBySecret(context: AuthenticationContext, request: FastifyRequest): Promise<BundleRecord> {
  const opened = await openBundle(context, idOf(request), secretOf(credentialsField(request)));
  switch (opened.outcome) {
    case "open":
      return opened.record;
    case "unknown":
      throw new ProblemError("not-found", "there is no such resource");
    case "wrong-secret":
      throw new ProblemError("unauthorized");
  }
}

async function v0Submitter(context: AuthenticationContext, request: FastifyRequest): Promise<Caller> {
  switch (context.config["v0.uploads"]) {
    case "off":
      throw new ProblemError("forbidden", "uploads of version 0 are turned off at this server");
    case "open":
      return { kind: "anybody" };
    case "authenticated":
      return { kind: "identity", identity: await identify(context, request) };
  }
}
