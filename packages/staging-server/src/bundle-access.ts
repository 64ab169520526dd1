import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { ServerContext } from "./context.ts";
import type { BundleRecord } from "./metadata/bundles.ts";

/** 256 bits: guessing one is hopeless, so that a plain hash is enough to keep. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function secretHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// Longer than any secret that was ever given out, the old fork's 1405 characters included.
const MAX_SECRET = 4096;
const NOBODY = Buffer.alloc(32);

/** How a try to open a bundle ended. Version 1 of the protocol shows no difference between the two failures. */
export type OpenedBundle =
  | { readonly outcome: "open"; readonly record: BundleRecord }
  | { readonly outcome: "unknown" }
  | { readonly outcome: "wrong-secret" };

/**
 * Opens a bundle for whoever has its secret. Does the same work for an id that exists and for one that does not, so that
 * the time it takes tells nothing.
 */
export async function openBundle(
  { bundles }: Pick<ServerContext, "bundles">,
  id: string,
  secret: string | undefined,
): Promise<OpenedBundle> {
  const record = (await bundles.records.get(ID.test(id) ? id : UNUSED_ID))?.value;
  const live = record === undefined || record.state === "deleted" ? undefined : record;
  const given = createHash("sha256")
    .update((secret ?? "").slice(0, MAX_SECRET + 1))
    .digest();
  const known = live === undefined ? NOBODY : Buffer.from(live.secretHash, "hex");
  const equal = timingSafeEqual(given, known);
  if (live === undefined) return { outcome: "unknown" };
  return equal && secret !== undefined ? { outcome: "open", record: live } : { outcome: "wrong-secret" };
}

const UNUSED_ID = "00000000-0000-0000-0000-000000000000";

/** The secret of a request: `Bearer <secret>`, or bare as the old fork sends it. */
export function secretOf(authorization: string | undefined): string | undefined {
  return authorization?.replace(/^Bearer +/i, "").trim();
}
