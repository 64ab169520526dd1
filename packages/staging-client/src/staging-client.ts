import { harmlessText, quotedName } from "@kindling/core-spec";
import { hideNothing, type Hide, type HttpRequest, type HttpResponse } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import { sendAnonymously, sendWithSecret, type Caller } from "./caller/caller.ts";
import { StagingError } from "./errors.ts";
import {
  isAccessReport,
  isBundleList,
  isBundleStatus,
  isCapabilities,
  isCollectReport,
  isCommittedBundle,
  isDamageAnswer,
  isLease,
  isMissingResponse,
  isStorageStatus,
  type Shape,
} from "./protocol/answer-shapes.ts";
import type {
  AccessReport,
  BundleList,
  BundleManifest,
  BundleRequest,
  BundleStatus,
  Capabilities,
  CollectReport,
  CommittedBundle,
  DamageAnswer,
  Lease,
  LeaseRequest,
  MissingRequest,
  MissingResponse,
  StorageStatus,
} from "./protocol/v1.ts";
import { v1Paths } from "./protocol/v1-paths.ts";
import { manifestDigest } from "./protocol/manifest.ts";
import { parseManifest } from "./protocol/parse-manifest.ts";
import { readJson } from "./transport/read-body.ts";
import { retrying, type RetryContext, type RetryPolicy } from "./transport/retry.ts";
import type { StagingTransport } from "./transport/staging-transport.ts";

export interface StagingConnection {
  /** The server's base URI, with a path if a proxy needs one. */
  readonly uri: URL;
  /** Sends requests without the caller's credentials. */
  readonly transport: StagingTransport;
  /** Sends requests with them. */
  readonly caller: Caller;
  readonly clock: Clock;
  readonly random: () => number;
  readonly retry: RetryPolicy;
  readonly onRetry: ((error: StagingError, waitMs: number) => void) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The calls of the protocol's version 1, each repeated while its failure may pass. All reject with a `StagingError`. */
export interface StagingClient {
  readonly connection: StagingConnection;
  capabilities(options?: CallOptions): Promise<Capabilities>;
  /** Whether these credentials may upload for a namespace. */
  access(namespace: string, options?: CallOptions): Promise<AccessReport>;

  openLease(request: LeaseRequest, options?: CallOptions): Promise<Lease>;
  closeLease(leaseId: string, options?: CallOptions): Promise<void>;
  missing(request: MissingRequest, options?: CallOptions): Promise<MissingResponse>;
  commitBundle(request: BundleRequest, options?: CallOptions): Promise<CommittedBundle>;
  /** Binds a bundle to the object that owns it. `secret` gives access to the bundle if the caller's credentials do not. */
  bindOwner(bundleId: string, uid: string, options?: CallOptions & { readonly secret?: string }): Promise<void>;
  deleteBundle(bundleId: string, options?: CallOptions & { readonly secret?: string }): Promise<void>;

  /** Reads a manifest and checks that it has the given digest. */
  manifest(
    bundleId: string,
    options: CallOptions & { readonly secret: string; readonly manifestDigest?: string },
  ): Promise<BundleManifest>;

  /**
   * Reports to the server that the received bytes of a file do not have its digest, so that it checks its stored file.
   * This is sent once: the caller goes on, whatever the answer is.
   */
  reportDamage(
    bundleId: string,
    name: string,
    options: CallOptions & { readonly secret: string },
  ): Promise<DamageAnswer>;

  /** One page of the bundles that the caller may see. */
  listBundles(options?: CallOptions & BundleSelection): Promise<BundleList>;
  bundleStatus(bundleId: string, options?: CallOptions): Promise<BundleStatus>;
  storageStatus(options?: CallOptions): Promise<StorageStatus>;
  collect(options?: CallOptions & { readonly dryRun?: boolean }): Promise<CollectReport>;

  /** Closes the connections that wait for another request. */
  close(): void;
}

export interface BundleSelection {
  readonly namespace?: string;
  /** Most bundles on the page. */
  readonly limit?: number;
  readonly continue?: string;
}

/** The longest text that a document can need: the signed URI of a file in an object store. */
const MAX_TEXT_BYTES = 16 * 1024;

export function stagingCalls(connection: StagingConnection): StagingClient {
  const json = async <T>(isFit: Shape<T>, call: Call, ask: typeof document = document): Promise<T> => {
    const hide = call.secret === undefined ? connection.caller.hideWhole : hideNothing;
    const answer = await ask(call, (text) => harmlessText(hide(text), MAX_TEXT_BYTES));
    return fit(answer, isFit, new URL(call.path, connection.uri));
  };
  const document = async (call: Call, read: Hide): Promise<unknown> =>
    await retrying(retryContext(connection, call.signal), () => documentOnce(call, read));
  const documentOnce = async (call: Call, read: Hide): Promise<unknown> => {
    const response = await sendCall(connection, call);
    return await readJson(response, connection.transport, read);
  };
  const empty = async (call: Call): Promise<void> => {
    await retrying(retryContext(connection, call.signal), async () => {
      const response = await sendCall(connection, call);
      response.body.resume();
    });
  };

  return {
    connection,
    capabilities: ({ signal } = {}) =>
      json(isCapabilities, { method: "GET", path: v1Paths.capabilities, signal, anonymous: true }),
    access: async (namespace, { signal } = {}) => {
      const { hide } = connection.caller;
      const call: Call = { method: "POST", path: v1Paths.access, document: { namespace }, signal };
      const { subject, allowed, reason } = await json(isAccessReport, call);
      return { subject: hide(subject), allowed, ...(reason !== undefined && { reason: hide(reason) }) };
    },
    openLease: (request, { signal } = {}) =>
      json(isLease, { method: "POST", path: v1Paths.leases, document: request, signal }),
    closeLease: (leaseId, { signal } = {}) => empty({ method: "DELETE", path: v1Paths.lease(leaseId), signal }),
    missing: (request, { signal } = {}) =>
      json(isMissingResponse, { method: "POST", path: v1Paths.missing, document: request, signal }),
    commitBundle: (request, { signal } = {}) =>
      json(isCommittedBundle, { method: "POST", path: v1Paths.bundles, document: request, signal }),
    bindOwner: (bundleId, uid, { signal, secret } = {}) =>
      empty({ method: "PATCH", path: v1Paths.bundleOwner(bundleId), document: { uid }, signal, secret }),
    deleteBundle: (bundleId, { signal, secret } = {}) =>
      empty({ method: "DELETE", path: v1Paths.bundle(bundleId), signal, secret }),
    manifest: async (bundleId, options) => {
      const { signal, secret } = options;
      // Names of files are used on disk, so they stay unchanged here; they are made harmless where they are shown.
      const answer = await document({ method: "GET", path: v1Paths.bundle(bundleId), signal, secret }, hideNothing);
      return checkedManifest(parseManifest(answer), options.manifestDigest, connection.uri);
    },
    reportDamage: (bundleId, name, { signal, secret }) => {
      const call: Call = { method: "POST", path: v1Paths.bundleDamaged(bundleId), document: { name }, signal, secret };
      return json(isDamageAnswer, call, documentOnce);
    },
    listBundles: ({ signal, namespace, limit, continue: token } = {}) => {
      const query = new URLSearchParams();
      if (namespace !== undefined) query.set("namespace", namespace);
      if (limit !== undefined) query.set("limit", String(limit));
      if (token !== undefined) query.set("continue", token);
      return json(isBundleList, { method: "GET", path: `${v1Paths.bundles}?${query.toString()}`, signal });
    },
    bundleStatus: (bundleId, { signal } = {}) =>
      json(isBundleStatus, { method: "GET", path: v1Paths.bundleStatus(bundleId), signal }),
    storageStatus: ({ signal } = {}) => json(isStorageStatus, { method: "GET", path: v1Paths.stat, signal }),
    collect: ({ signal, dryRun = false } = {}) =>
      json(isCollectReport, { method: "POST", path: v1Paths.gc, document: { dryRun }, signal }),
    close: () => connection.transport.close(),
  };
}

/** @throws StagingError `protocol` for a document of another kind than requested */
function fit<T>(document: unknown, isFit: Shape<T>, url: URL): T {
  if (isFit(document)) return document;
  throw new StagingError("protocol", `${url.origin}: the answer to ${url.pathname} is not what was asked for`, {
    hint: "is this the address of a staging server, and does it speak this version?",
  });
}

export function retryContext(connection: StagingConnection, signal: AbortSignal | undefined): RetryContext {
  const { clock, random, retry, onRetry } = connection;
  return { clock, random, policy: retry, signal, onRetry };
}

interface Call {
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly document?: unknown;
  /** A bundle's secret, sent instead of the caller's credentials. */
  readonly secret?: string | undefined;
  readonly anonymous?: boolean;
}

async function sendCall({ uri, transport, caller }: StagingConnection, call: Call): Promise<HttpResponse> {
  const { method, path, signal, document } = call;
  const request: HttpRequest = {
    method,
    url: new URL(path, uri),
    headers: { accept: "application/json", ...(document !== undefined && { "content-type": "application/json" }) },
    ...(document !== undefined && { body: Buffer.from(JSON.stringify(document)) }),
    ...(signal !== undefined && { signal }),
  };
  if (call.anonymous === true) return await sendAnonymously(transport, request);
  if (call.secret !== undefined) return await sendWithSecret(transport, request, call.secret);
  return await caller.send(request);
}

function checkedManifest(manifest: BundleManifest | undefined, expected: string | undefined, uri: URL): BundleManifest {
  if (manifest === undefined) {
    throw new StagingError("protocol", `${uri.origin}: the answer is no bundle's manifest`, {
      hint: "is this the address of a staging server?",
    });
  }
  const actual = manifestDigest(manifest.files);
  if (actual === manifest.manifestDigest && (expected === undefined || actual === expected)) return manifest;
  throw new StagingError(
    "digest",
    `${uri.origin}: the manifest of bundle ${quotedName(manifest.bundleId)} is not the one committed`,
    {
      hint: "is this the server that the files were uploaded to?",
    },
  );
}
