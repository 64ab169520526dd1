import type { FastifyRequest } from "fastify";
import { ProblemError } from "../../errors/problem-error.ts";
import { identityOf } from "../../http/caller.ts";
import type { LeaseRecord } from "../../metadata/lease-record.ts";
import type { ServerContext } from "../server-context.ts";

/**
 * The lease that a request works under, renewed. A lease is no credential: its user must be allowed to upload for its
 * namespace. For all others it does not exist.
 *
 * @throws ProblemError `lease-expired`
 */
export async function leaseOf(
  context: ServerContext,
  request: FastifyRequest,
  id: string | undefined,
): Promise<LeaseRecord> {
  const lease = id === undefined || id === "" ? undefined : await context.leases.use(id);
  if (lease !== undefined && (await identityOf(request).mayUpload(lease.namespace)).allowed) return lease;
  throw new ProblemError("lease-expired", "open a new lease and ask again what is missing");
}
