import type { RequestSpan } from "@kindling/service";
import type { FastifyRequest } from "fastify";
import type { Authenticator, Identity } from "../auth/authenticator.ts";
import type { BundleRecord } from "../metadata/bundle-record.ts";
import type { DocumentKind } from "./documents/document-kinds.ts";

/**
 * What a route needs to know about a caller before it reads the body: nothing, the identity, the secret of a bundle, or
 * one of the last two. The old fork's routes have the same kinds, but they distinguish an unknown bundle from a wrong
 * secret, and their uploads may be open to all.
 */
export type RouteAccess = "anybody" | "identity" | "secret" | "secret-or-right" | "v0-secret" | "v0-upload";

/** The sender of a request, as its headers prove. */
export type Caller =
  | { readonly kind: "anybody" }
  | { readonly kind: "identity"; readonly identity: Identity }
  | { readonly kind: "bundle"; readonly bundle: BundleRecord };

declare module "fastify" {
  interface FastifyContextConfig {
    /** Every route sets this. */
    access?: RouteAccess;
    /** The body that the route accepts, if any: a JSON document, or bytes that it reads by itself. */
    body?: DocumentKind | "stream";
    /** The route sends or receives files: this may take long, and has limits of its own. */
    transfers?: boolean;
  }
  interface FastifyRequest {
    /** Set before anything of the body is read. */
    caller: Caller | null;
    span: RequestSpan | null;
    /** The name under which requests, uploads and documents are counted. */
    client: string;
  }
}

/** The caller of a route whose access is `identity`. */
export function identityOf(request: FastifyRequest): Identity {
  if (request.caller?.kind !== "identity") throw new Error("this route does not ask who its caller is");
  return request.caller.identity;
}

/** The bundle of a route whose access is by secret. */
export function bundleOf(request: FastifyRequest): BundleRecord {
  if (request.caller?.kind !== "bundle") throw new Error("this route does not ask for a bundle's secret");
  return request.caller.bundle;
}

/**
 * The name under which transfers share places: the namespace. Without authentication anybody may name any namespace, so
 * it is the client.
 */
export function shareOf(
  { authenticator }: { readonly authenticator: Pick<Authenticator, "mode"> },
  request: FastifyRequest,
  namespace: string,
): string {
  return authenticator.mode === "none" ? request.client : `namespace ${namespace}`;
}

/** The caller of an upload of version 0; `undefined` if these uploads are open to all. */
export function submitterOf(request: FastifyRequest): Identity | undefined {
  return request.caller?.kind === "anybody" ? undefined : identityOf(request);
}
