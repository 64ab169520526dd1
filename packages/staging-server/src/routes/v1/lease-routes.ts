import { isNamespace, type Lease, type LeaseRequest } from "@kindling/staging-client";
import type { FastifyInstance } from "fastify";
import type { ServerContext } from "../../context.ts";
import { identify, requireUpload, requireUploadBy } from "../../http/identity.ts";
import { ProblemError } from "../../problem-error.ts";
import { leaseRequestSchema } from "../schemas.ts";

export function leaseRoutes(app: FastifyInstance, context: ServerContext): void {
  const { config, leases } = context;

  app.post<{ Body: LeaseRequest }>("/leases", { schema: { body: leaseRequestSchema } }, async (request, reply) => {
    const { namespace, ttl } = request.body;
    if (!isNamespace(namespace)) throw new ProblemError("invalid-request", "namespace is not the name of a namespace");
    const { subject } = await requireUpload(context, request, namespace);
    const seconds = Math.min(ttl ?? config["lease.ttl"], config["lease.maxTtl"]);
    const lease = await leases.open(namespace, subject, seconds);
    const answer: Lease = { leaseId: lease.id, expiresIn: seconds };
    return await reply.code(201).send(answer);
  });

  app.delete<{ Params: { id: string } }>("/leases/:id", async (request, reply) => {
    const identity = await identify(context, request);
    const lease = await leases.use(request.params.id);
    if (lease !== undefined) {
      await requireUploadBy(identity, lease.namespace);
      await leases.close(lease.id);
    }
    return await reply.code(204).send();
  });
}
