import type { FastifyRequest } from "fastify";
import type { Identity } from "../../auth/authenticator.ts";
import type { ServerContext } from "../../context.ts";
import { identify, requireUploadBy } from "../../http/identity.ts";
import type { LeaseRecord } from "../../metadata/leases.ts";
import { ProblemError } from "../../problem-error.ts";

export interface LeaseUse {
  readonly lease: LeaseRecord;
  readonly identity: Identity;
}

/**
 * The lease that a request works under, renewed. A lease is no credential: whoever uses it must be allowed to upload
 * for its namespace.
 *
 * @throws ProblemError `unauthorized`, `forbidden`, `lease-expired`
 */
export async function leaseOf(
  context: ServerContext,
  request: FastifyRequest,
  id: string | undefined,
): Promise<LeaseUse> {
  const identity = await identify(context, request);
  const lease = id === undefined || id === "" ? undefined : await context.leases.use(id);
  if (lease === undefined) throw new ProblemError("lease-expired", "open a new lease and ask again what is missing");
  await requireUploadBy(identity, lease.namespace);
  return { lease, identity };
}
