import type { Clock } from "./clock.ts";
import { StagingError } from "./errors.ts";
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
import type { HttpRequest, HttpResponse, HttpTransport } from "./transport/http-transport.ts";
import { readJson, refusal } from "./transport/read-body.ts";
import { retrying, type RetryContext, type RetryPolicy } from "./transport/retry.ts";

/** Who is calling: the whole value of `Authorization`, or a function that gives a fresh one for each request. */
export type Authorization = string | (() => string | undefined | Promise<string | undefined>);

export interface StagingConnection {
  /** The server's base URI, with a path where it stands behind a proxy. */
  readonly uri: URL;
  readonly transport: HttpTransport;
  readonly authorization: Authorization | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly retry: RetryPolicy;
  readonly onRetry: ((error: StagingError, waitMs: number) => void) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The calls of the protocol's version 1, each repeated while its failure is a passing one. All reject with a
 * `StagingError`.
 */
export interface StagingClient {
  readonly connection: StagingConnection;
  capabilities(options?: CallOptions): Promise<Capabilities>;
  /** Whether these credentials may upload for a namespace. */
  access(namespace: string, options?: CallOptions): Promise<AccessReport>;

  openLease(request: LeaseRequest, options?: CallOptions): Promise<Lease>;
  closeLease(leaseId: string, options?: CallOptions): Promise<void>;
  missing(request: MissingRequest, options?: CallOptions): Promise<MissingResponse>;
  commitBundle(request: BundleRequest, options?: CallOptions): Promise<CommittedBundle>;
  /** Binds a bundle to the object that owns it. `secret` opens the bundle where the caller's credentials do not. */
  bindOwner(bundleId: string, uid: string, options?: CallOptions & { readonly secret?: string }): Promise<void>;
  deleteBundle(bundleId: string, options?: CallOptions & { readonly secret?: string }): Promise<void>;

  /** Reads a manifest and makes sure that it is the one whose digest is given. */
  manifest(
    bundleId: string,
    options: CallOptions & { readonly secret: string; readonly manifestDigest?: string },
  ): Promise<BundleManifest>;

  /**
   * Tells the server that the bytes which arrived of a file are not those of its digest, so that it looks at what it has.
   * Asks once: whoever tells it goes on whatever the answer is.
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

export function stagingCalls(connection: StagingConnection): StagingClient {
  const json = async <T>(call: Call): Promise<T> => {
    const url = new URL(call.path, connection.uri);
    return await retrying(retryContext(connection, call.signal), async () => {
      const response = await sendCall(connection, call);
      return await readJson<T>(response, connection.transport, url);
    });
  };
  const empty = async (call: Call): Promise<void> => {
    await retrying(retryContext(connection, call.signal), async () => {
      const response = await sendCall(connection, call);
      response.body.resume();
    });
  };

  return {
    connection,
    capabilities: ({ signal } = {}) => json({ method: "GET", path: v1Paths.capabilities, signal, anonymous: true }),
    access: (namespace, { signal } = {}) =>
      json({ method: "POST", path: v1Paths.access, document: { namespace }, signal }),
    openLease: (request, { signal } = {}) => json({ method: "POST", path: v1Paths.leases, document: request, signal }),
    closeLease: (leaseId, { signal } = {}) => empty({ method: "DELETE", path: v1Paths.lease(leaseId), signal }),
    missing: (request, { signal } = {}) => json({ method: "POST", path: v1Paths.missing, document: request, signal }),
    commitBundle: (request, { signal } = {}) =>
      json({ method: "POST", path: v1Paths.bundles, document: request, signal }),
    bindOwner: (bundleId, uid, { signal, secret } = {}) =>
      empty({ method: "PATCH", path: v1Paths.bundleOwner(bundleId), document: { uid }, signal, secret }),
    deleteBundle: (bundleId, { signal, secret } = {}) =>
      empty({ method: "DELETE", path: v1Paths.bundle(bundleId), signal, secret }),
    manifest: async (bundleId, options) => {
      const { signal, secret } = options;
      const manifest = await json<BundleManifest>({ method: "GET", path: v1Paths.bundle(bundleId), signal, secret });
      checkManifest(manifest, options.manifestDigest, connection.uri);
      return manifest;
    },
    reportDamage: async (bundleId, name, { signal, secret }) => {
      const path = v1Paths.bundleDamaged(bundleId);
      const response = await sendCall(connection, { method: "POST", path, document: { name }, signal, secret });
      return await readJson<DamageAnswer>(response, connection.transport, new URL(path, connection.uri));
    },
    listBundles: ({ signal, namespace, limit, continue: token } = {}) => {
      const query = new URLSearchParams();
      if (namespace !== undefined) query.set("namespace", namespace);
      if (limit !== undefined) query.set("limit", String(limit));
      if (token !== undefined) query.set("continue", token);
      return json({ method: "GET", path: `${v1Paths.bundles}?${query.toString()}`, signal });
    },
    bundleStatus: (bundleId, { signal } = {}) => json({ method: "GET", path: v1Paths.bundleStatus(bundleId), signal }),
    storageStatus: ({ signal } = {}) => json({ method: "GET", path: v1Paths.stat, signal }),
    collect: ({ signal, dryRun = false } = {}) =>
      json({ method: "POST", path: v1Paths.gc, document: { dryRun }, signal }),
    close: () => connection.transport.close(),
  };
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

async function sendCall(connection: StagingConnection, call: Call): Promise<HttpResponse> {
  const { method, path, signal, document } = call;
  const url = new URL(path, connection.uri);
  const authorization = await authorizationOf(connection, call);
  const response = await connection.transport.send({
    method,
    url,
    headers: {
      accept: "application/json",
      ...(authorization !== undefined && { authorization }),
      ...(document !== undefined && { "content-type": "application/json" }),
    },
    ...(document !== undefined && { body: Buffer.from(JSON.stringify(document)) }),
    ...(signal !== undefined && { signal }),
  });
  if (response.status < 200 || response.status > 299) throw await refusal(response, connection.transport, url);
  return response;
}

async function authorizationOf(connection: StagingConnection, call: Call): Promise<string | undefined> {
  if (call.anonymous === true) return undefined;
  if (call.secret !== undefined) return `Bearer ${call.secret}`;
  const { authorization } = connection;
  return typeof authorization === "function" ? await authorization() : authorization;
}

function checkManifest(manifest: BundleManifest, expected: string | undefined, uri: URL): void {
  const actual = manifestDigest(manifest.files);
  if (actual === manifest.manifestDigest && (expected === undefined || actual === expected)) return;
  throw new StagingError(
    "digest",
    `${uri.origin}: the manifest of bundle ${manifest.bundleId} is not the one committed`,
    {
      hint: "is this the server that the files were uploaded to?",
    },
  );
}
