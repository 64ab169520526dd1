import type { Digest } from "./digest.ts";
import type { BundleFile } from "./manifest.ts";
import type { StagedResourcesOwner } from "./owner.ts";

/*
 * The documents of the protocol's version 1. Durations are whole seconds, sizes are bytes, times are RFC 3339 in UTC.
 * Readers ignore unknown members.
 */

/** `GET /api/v1/capabilities`: what this server supports and allows. Needs no credentials. */
export interface Capabilities {
  readonly versions: readonly string[];
  readonly digestAlgorithms: readonly string[];
  readonly uploadDraftInteropVersion: string;
  readonly authentication: AuthenticationMode;
  /** Downloads may answer with a redirect to the object store. */
  readonly redirects: boolean;
  readonly limits: CapabilityLimits;
}

export type AuthenticationMode = "none" | "token" | "kubernetes" | "mtls";

export interface CapabilityLimits {
  readonly maxFileBytes: number;
  readonly maxBundleFiles: number;
  /** How many digests one `blobs:missing` may ask about. */
  readonly maxDigestsPerRequest: number;
  /** How many uploads one client may have open. */
  readonly maxUploadsPerClient: number;
  /** Files up to this size are best sent in one `PUT`. */
  readonly oneShotBytes: number;
}

/** `POST /api/v1/leases` */
export interface LeaseRequest {
  readonly namespace: string;
  /** How long the lease outlives its last use; the server caps it. */
  readonly ttl?: number;
}

export interface Lease {
  readonly leaseId: string;
  readonly expiresIn: number;
}

/** `POST /api/v1/blobs:missing`: pins the blobs that are here, and names those that are not. */
export interface MissingRequest {
  readonly lease: string;
  readonly digests: readonly { readonly digest: Digest; readonly size: number }[];
}

export interface MissingResponse {
  readonly missing: readonly Digest[];
}

/** `POST /api/v1/bundles`: commits a bundle whose files are all here. */
export interface BundleRequest {
  readonly lease: string;
  readonly owner: StagedResourcesOwner;
  /** How long the bundle may wait for its first use; default: the server's setting. */
  readonly ttl?: number;
  readonly files: readonly BundleFile[];
}

export interface CommittedBundle {
  readonly bundleId: string;
  /** Gives access to the bundle's files; it is sent only once. */
  readonly secret: string;
  readonly manifestDigest: Digest;
  /** The time until the bundle is deleted if it is not used. */
  readonly expiresIn: number;
}

/** `PATCH /api/v1/bundles/{id}/owner`: binds a bundle to the object that owns it. */
export interface OwnerBinding {
  readonly uid: string;
}

/** `GET /api/v1/bundles/{id}` */
export interface BundleManifest {
  readonly bundleId: string;
  readonly manifestDigest: Digest;
  readonly files: readonly ManifestFile[];
}

export interface ManifestFile extends BundleFile {
  /** A URL from which the file can be fetched without this server, for a while; absent if there is none. */
  readonly href?: string;
}

/** `POST /api/v1/bundles/{id}/damaged`, with the bundle's secret: the received bytes of a file do not have its digest. */
export interface DamageReport {
  /** The file's name in the bundle. */
  readonly name: string;
}

/**
 * What the server found when it read the file again. `damaged`: the file was damaged, and is set aside until it is
 * uploaded again. `unknown`: the server does not check it now.
 */
export interface DamageAnswer {
  readonly state: "sound" | "damaged" | "unknown";
}

/**
 * The life of a bundle: `unused` until a pod fetches it or its owner is seen, `used` while its owner runs, `orphan` when
 * the owner has ended or is gone.
 */
export type BundleState = "unused" | "used" | "orphan";

/** One bundle as its namespace's users see it; it contains no secret for the files. */
export interface BundleStatus {
  readonly bundleId: string;
  readonly namespace: string;
  readonly state: BundleState;
  /** How long it has been in this state. */
  readonly stateSeconds: number;
  readonly owner: StagedResourcesOwner;
  readonly ownerUid?: string;
  /** What the server knows of the owner at present. */
  readonly ownerState: OwnerState;
  readonly files: number;
  readonly bytes: number;
  readonly createdAt: string;
  /** Who uploaded it. */
  readonly createdBy: string;
  /** The time until it is deleted if nothing changes; absent if it would not be deleted. */
  readonly expiresIn?: number;
}

/**
 * `unknown`: the API server does not answer, so nothing is known. `unwatched`: this server does not watch owners of that
 * type.
 */
export type OwnerState = "present" | "finished" | "absent" | "unknown" | "unwatched";

/** `GET /api/v1/bundles?namespace=…&limit=…&continue=…` */
export interface BundleList {
  readonly bundles: readonly BundleStatus[];
  /** Passed back as `continue`, gives the next page; absent on the last one. */
  readonly continue?: string;
}

/** `GET /api/v1/stat`: administrators get the figures of the whole store, others only those of their namespaces. */
export interface StorageStatus {
  readonly store: string;
  /** Also absent if the store has no such figure. */
  readonly freeBytes?: number;
  readonly blobs?: number;
  readonly blobBytes?: number;
  readonly openUploads?: number;
  readonly reservedBytes?: number;
  readonly namespaces: readonly NamespaceUsage[];
}

export interface NamespaceUsage {
  readonly namespace: string;
  readonly bundles: number;
  /** Bytes of the distinct files of its bundles. */
  readonly bytes: number;
  /** The bytes that count for its quota: also uploads, leases and documents. */
  readonly storedBytes?: number;
  readonly leases?: number;
  readonly openUploads?: number;
  /** Absent if there is no quota. */
  readonly quotaBytes?: number;
}

/** `POST /api/v1/gc` */
export interface CollectRequest {
  /** Only report what a collection would do. */
  readonly dryRun?: boolean;
}

export interface CollectReport {
  readonly dryRun: boolean;
  readonly bundlesDeleted: readonly { readonly bundleId: string; readonly reason: string }[];
  /** Blobs without references, which are deleted after their grace period. */
  readonly blobsCondemned: number;
  readonly blobsDeleted: number;
  readonly bytesFreed: number;
  readonly uploadsDropped: number;
}

/** `POST /api/v1/access`: asks whether these credentials may upload for a namespace. */
export interface AccessRequest {
  readonly namespace: string;
}

export interface AccessReport {
  readonly subject: string;
  readonly allowed: boolean;
  /** Why not. */
  readonly reason?: string;
}
