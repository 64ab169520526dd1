import { podState } from "@kindling/diagnosis";
import { clusterError, GRACE_PERIOD, killApplication } from "@kindling/submit";
import type { FastifyInstance } from "fastify";
import { callerOf, demand } from "../http/caller.ts";
import { answers, named, namespaceSchema } from "../schemas/schemas.ts";
import { ID_PARAMS, type IdParams } from "./application-id.ts";
import { driverPodOf, wantedApplication } from "./find-application.ts";
import type { ServiceContext } from "./service-context.ts";

/** Ends an application. */
export function killRoute(app: FastifyInstance, context: ServiceContext): void {
  const { client, log, audit } = context;

  app.delete("/api/v1/submissions/:id", {
    config: { changes: true, verb: "kill" },
    schema: {
      operationId: "kill",
      summary: "Ends an application",
      description: "Deletes the driver pod; what belongs to it goes with it. Answers before it is gone.",
      tags: ["applications"],
      params: ID_PARAMS,
      querystring: {
        type: "object",
        additionalProperties: false,
        properties: {
          namespace: namespaceSchema,
          gracePeriodSeconds: {
            type: "integer",
            minimum: 0,
            maximum: 86_400,
            description: `How long the driver has to end by itself, as ${GRACE_PERIOD.key} says for spark-submit`,
          },
        },
      },
      response: answers({ 202: named("Killed") }),
    },
    async handler(request, reply) {
      const query = request.query as { namespace?: string; gracePeriodSeconds?: number };
      const wanted = wantedApplication(context, (request.params as IdParams).id, query.namespace);
      audit.about(request, { namespace: wanted.namespace, resource: "pods", name: wanted.name });
      const caller = callerOf(request);
      await demand(caller, "kill", wanted.namespace);
      try {
        const driver = podState(await driverPodOf(context, wanted));
        await killApplication(client, driver, query.gracePeriodSeconds);
        const { namespace, name: driverPod } = driver;
        audit.about(request, { name: driverPod });
        audit.done(request, "deleted");
        log.info("application ended", { request: request.id, subject: caller.subject, namespace, driverPod });
        void reply.code(202);
        return { id: `${namespace}:${driverPod}` };
      } catch (error) {
        throw clusterError(error);
      }
    },
  });
}
