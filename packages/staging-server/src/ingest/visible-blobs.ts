import type { Digest } from "@kindling/staging-client";
import type { ServerContext } from "../routes/server-context.ts";
import type { LeaseRecord } from "../metadata/leases.ts";

/**
 * Which of some blobs are here, as far as a lease's namespace may know, with their sizes. They are held by the lease
 * afterwards.
 *
 * A client that could ask for any digest would learn what others have; so, unless configured otherwise, it is told of
 * files of its own namespace's bundles and of those it has uploaded under this lease. All others it has to send, which
 * proves that it has them.
 */
export async function holdVisible(
  context: Pick<ServerContext, "blobs" | "leases" | "index" | "config">,
  lease: LeaseRecord,
  digests: readonly Digest[],
): Promise<ReadonlyMap<Digest, number>> {
  const { leases, blobs, index, config } = context;
  // The pin first: what is found after it cannot be deleted any more.
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
