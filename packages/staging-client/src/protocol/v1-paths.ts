import type { Digest } from "./digest.ts";

function segments(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** The paths of the protocol's version 1, relative to a server's base URI. */
export const v1Paths = {
  capabilities: "api/v1/capabilities",
  leases: "api/v1/leases",
  lease: (leaseId: string): string => `api/v1/leases/${encodeURIComponent(leaseId)}`,
  missing: "api/v1/blobs:missing",
  blob: (digest: Digest, leaseId: string): string => `api/v1/blobs/${digest}?lease=${encodeURIComponent(leaseId)}`,
  uploads: (leaseId: string): string => `api/v1/uploads?lease=${encodeURIComponent(leaseId)}`,
  bundles: "api/v1/bundles",
  bundle: (bundleId: string): string => `api/v1/bundles/${encodeURIComponent(bundleId)}`,
  bundleStatus: (bundleId: string): string => `api/v1/bundles/${encodeURIComponent(bundleId)}/status`,
  bundleOwner: (bundleId: string): string => `api/v1/bundles/${encodeURIComponent(bundleId)}/owner`,
  bundleDamaged: (bundleId: string): string => `api/v1/bundles/${encodeURIComponent(bundleId)}/damaged`,
  file: (bundleId: string, name: string): string =>
    `api/v1/bundles/${encodeURIComponent(bundleId)}/files/${segments(name)}`,
  archive: (bundleId: string, compression: "" | ".gz"): string =>
    `api/v1/bundles/${encodeURIComponent(bundleId)}/archive.tar${compression}`,
  stat: "api/v1/stat",
  gc: "api/v1/gc",
  access: "api/v1/access",
} as const;
