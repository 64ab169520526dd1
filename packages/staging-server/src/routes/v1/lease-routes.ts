import { isNamespace, type Lease, type LeaseRequest } from "@kindling/staging-client";
import type { FastifyInstance } from "fastify";
import { ProblemError } from "../../errors/problem-error.ts";
import { identityOf } from "../../http/caller.ts";
import { requireUploadBy } from "../../auth/rights.ts";
import { leaseRequestSchema } from "../schemas.ts";
import type { ServerContext } from "../server-context.ts";

export function leaseRoutes(app: FastifyInstance, context: ServerContext): void {
  const { config, leases } = context;

  const open = { schema: { body: leaseRequestSchema }, config: { access: "identity", body: "settings" } } as const;
  app.post<{ Body: LeaseRequest }>("/leases", open, async (request, reply) => {
    const { namespace, ttl } = request.body;
    if (!isNamespace(namespace)) throw new ProblemError("invalid-request", "namespace is not the name of a namespace");
    const identity = identityOf(request);
    await requireUploadBy(identity, namespace);
    const seconds = Math.min(ttl ?? config["lease.ttl"], config["lease.maxTtl"]);
    const lease = await leases.open(namespace, identity.subject, seconds);
    const answer: Lease = { leaseId: lease.id, expiresIn: seconds };
    return await reply.code(201).send(answer);
  });

  const close = { config: { access: "identity" } } as const;
  app.delete<{ Params: { id: string } }>("/leases/:id", close, async (request, reply) => {
    const lease = await leases.use(request.params.id);
    // For this caller, a lease of others does not exist: there is nothing to close.
    if (lease !== undefined && (await identityOf(request).mayUpload(lease.namespace)).allowed) {
      await leases.close(lease.id);
    }
    return await reply.code(204).send();
  });
}
