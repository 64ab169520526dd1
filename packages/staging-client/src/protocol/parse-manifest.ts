import { parseDigest } from "./digest.ts";
import type { BundleManifest, ManifestFile } from "./v1.ts";

/** Reads the answer to `GET /api/v1/bundles/{id}`; `undefined` if it is no manifest. */
export function parseManifest(value: unknown): BundleManifest | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { bundleId, manifestDigest, files } = value as Record<string, unknown>;
  const digest = digestOf(manifestDigest);
  if (typeof bundleId !== "string" || digest === undefined || !Array.isArray(files)) return undefined;
  return files.every(isFile) ? { bundleId, manifestDigest: digest, files } : undefined;
}

function digestOf(value: unknown): BundleManifest["manifestDigest"] | undefined {
  return typeof value === "string" ? parseDigest(value) : undefined;
}

function isFile(value: unknown): value is ManifestFile {
  if (typeof value !== "object" || value === null) return false;
  const { name, kind, digest, size, mode } = value as Record<string, unknown>;
  return (
    typeof name === "string" &&
    typeof kind === "string" &&
    digestOf(digest) !== undefined &&
    isInteger(size, Number.MAX_SAFE_INTEGER) &&
    isInteger(mode, 0o777)
  );
}

function isInteger(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;
}
