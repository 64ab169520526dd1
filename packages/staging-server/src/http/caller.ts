import type { RequestSpan } from "@kindling/service";
import type { FastifyRequest } from "fastify";
import type { Authenticator, Identity } from "../auth/authenticator.ts";
import type { BundleRecord } from "../metadata/bundle-record.ts";
import type { DocumentKind } from "./documents/document-kinds.ts";

/**
 * What a route wants to know before anything of a request's body is read: nothing, who it is, whether it has a bundle's
 * secret, or either; and the same for the old fork's routes, which tell an unknown bundle from a wrong secret, and whose
 * uploads may be open to all.
 */
export type RouteAccess = "anybody" | "identity" | "secret" | "secret-or-right" | "v0-secret" | "v0-upload";

/** Who is behind a request, as its headers prove. */
export type Caller =
  | { readonly kind: "anybody" }
  | { readonly kind: "identity"; readonly identity: Identity }
  | { readonly kind: "bundle"; readonly bundle: BundleRecord };

declare module "fastify" {
  interface FastifyContextConfig {
    /** Every route says it. */
    access?: RouteAccess;
    /** What body the route takes, if any: a JSON document, or bytes that it reads by itself. */
    body?: DocumentKind | "stream";
    /** The route sends or takes files: what it does may last, and is limited by itself. */
    transfers?: boolean;
  }
  interface FastifyRequest {
    /** Set before anything of the body is read. */
    caller: Caller | null;
    span: RequestSpan | null;
    /** Whose requests, uploads and documents are counted together. */
    client: string;
  }
}

/** The caller of a route whose access is `identity`. */
export function identityOf(request: FastifyRequest): Identity {
  if (request.caller?.kind !== "identity") throw new Error("this route does not ask who its caller is");
  return request.caller.identity;
}

/** The bundle that a route is about whose access is by secret. */
export function bundleOf(request: FastifyRequest): BundleRecord {
  if (request.caller?.kind !== "bundle") throw new Error("this route does not ask for a bundle's secret");
  return request.caller.bundle;
}

/**
 * Whose transfers share places with each other: a namespace's. Where anybody may name any namespace, those of one client.
 */
export function shareOf(
  { authenticator }: { readonly authenticator: Pick<Authenticator, "mode"> },
  request: FastifyRequest,
  namespace: string,
): string {
  return authenticator.mode === "none" ? request.client : `namespace ${namespace}`;
}

/** The caller of an upload of version 0; `undefined` where these are open to all. */
export function submitterOf(request: FastifyRequest): Identity | undefined {
  return request.caller?.kind === "anybody" ? undefined : identityOf(request);
}
