import type { Digest } from "@kindling/staging-client";
import type { Blobs } from "../blobs/blobs.ts";
import type { BundleIndex } from "../bundles/bundle-index.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { LeaseRecord } from "../metadata/lease-record.ts";
import type { Leases } from "../metadata/leases.ts";

/** The data that decides which blobs a caller may know of. */
export interface VisibilityContext {
  readonly blobs: Blobs;
  readonly leases: Leases;
  readonly index: BundleIndex;
  readonly config: Pick<ServerConfig, "dedupe.scope">;
}

/**
 * Which of some blobs are here, as far as a lease's namespace may know, with their sizes. The lease holds them
 * afterwards.
 *
 * A client that could ask for any digest would learn what others have; so, unless configured otherwise, the answer covers
 * only files of its own namespace's bundles and files uploaded under this lease. The client has to send all other files,
 * which proves that it has them.
 */
export async function holdVisible(
  context: VisibilityContext,
  lease: LeaseRecord,
  digests: readonly Digest[],
): Promise<ReadonlyMap<Digest, number>> {
  const { leases, blobs, index, config } = context;
  // The pin comes first: a blob that is found after it cannot be deleted any more.
  await leases.pin(lease.id, digests);
  const held = await leases.held(lease.id);
  const own = index.namespaces().get(lease.namespace);
  const askable =
    config["dedupe.scope"] === "server"
      ? digests
      : digests.filter((digest) => held.has(digest) || own?.has(digest) === true);
  const found = await blobs.findAll(askable);
  await leases.hold(
    lease.id,
    [...found.keys()].filter((digest) => !held.has(digest)),
  );
  return found;
}
