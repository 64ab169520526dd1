import { createHash, timingSafeEqual } from "node:crypto";
import type { Random } from "@kindling/outside";
import type { BundleRecord } from "../metadata/bundle-record.ts";
import type { Bundles } from "../metadata/bundles.ts";
import type { BundleIndex } from "./bundle-index.ts";

/** 256 bits cannot be guessed, so it is enough to keep a plain hash. */
export function newSecret(random: Random): string {
  return Buffer.from(random.bytes(32)).toString("base64url");
}

export function secretHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

// Longer than any secret, also those of the old fork with 1405 characters.
const MAX_SECRET = 4096;
// The hash of no secret at all.
const NOBODY = "0".repeat(64);

/** How a try to open a bundle ended. Version 1 of the protocol shows no difference between the two failures. */
export type OpenedBundle =
  | { readonly outcome: "open"; readonly record: BundleRecord }
  | { readonly outcome: "unknown" }
  | { readonly outcome: "wrong-secret" };

/** Where bundles are found. */
export interface FindableBundles {
  readonly bundles: Bundles;
  readonly index: BundleIndex;
}

/**
 * Opens a bundle for a caller with its secret. Does the same work for an id that exists and for one that does not, so
 * that the duration reveals nothing.
 */
export async function openBundle(
  { bundles, index }: FindableBundles,
  id: string,
  secret: string | undefined,
): Promise<OpenedBundle> {
  // Another server may have committed it a moment ago. If there is no other server, a bundle that is not in memory does
  // not exist.
  const record = index.get(id) ?? (bundles.shared ? await fresh(bundles, id) : undefined);
  const given = createHash("sha256")
    .update((secret ?? "").slice(0, MAX_SECRET + 1))
    .digest();
  const equal = timingSafeEqual(given, Buffer.from(record?.secretHash ?? NOBODY, "hex"));
  if (record === undefined) return { outcome: "unknown" };
  return equal && secret !== undefined ? { outcome: "open", record } : { outcome: "wrong-secret" };
}

async function fresh(bundles: Bundles, id: string): Promise<BundleRecord | undefined> {
  const record = (await bundles.records.get(id))?.value;
  return record?.state === "deleted" ? undefined : record;
}

/** The secret of a request: `Bearer <secret>`, or bare as the old fork sends it. */
export function secretOf(authorization: string | undefined): string | undefined {
  return authorization?.replace(/^Bearer +/i, "").trim();
}
