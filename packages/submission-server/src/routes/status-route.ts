import { applicationReport, clusterError } from "@kindling/submit";
import type { FastifyInstance } from "fastify";
import { recordOf } from "../applications/application-record.ts";
import { adviceInWords } from "../errors/words-of-http.ts";
import { callerOf, demand } from "../http/caller.ts";
import { answers, named, namespaceSchema } from "../schemas/schemas.ts";
import { ID_PARAMS, type IdParams } from "./application-id.ts";
import { driverPodOf, knownApplication, wantedApplication } from "./find-application.ts";
import type { ServiceContext } from "./service-context.ts";

/** Returns the state of an application, and a diagnosis from its pods, their events and its log. */
export function statusRoute(app: FastifyInstance, context: ServiceContext): void {
  const { client, gates, outside } = context;

  app.get("/api/v1/submissions/:id", {
    schema: {
      operationId: "status",
      summary: "Tells how an application is, and why",
      tags: ["applications"],
      params: ID_PARAMS,
      querystring: {
        type: "object",
        additionalProperties: false,
        properties: {
          namespace: namespaceSchema,
          diagnosis: {
            type: "boolean",
            default: true,
            description: "Whether pods, events and log are looked at; without it the answer is what a list says of it",
          },
        },
      },
      response: answers({ 200: named("ApplicationReport") }),
    },
    async handler(request) {
      const { namespace, diagnosis } = request.query as { namespace?: string; diagnosis: boolean };
      const wanted = wantedApplication(context, (request.params as IdParams).id, namespace);
      context.audit.about(request, { namespace: wanted.namespace, resource: "pods", name: wanted.name });
      const caller = callerOf(request);
      await demand(caller, "view", wanted.namespace);
      const known = knownApplication(context, wanted);
      if (!diagnosis && known !== undefined) return known;
      const leave = gates.reports.enter(caller.subject);
      try {
        const pod = await driverPodOf(context, wanted);
        if (!diagnosis) return recordOf(pod);
        const report = await applicationReport(client, pod, { now: outside.clock.now() });
        const { state, image, executors } = report;
        // The description of a problem may contain text from the driver's log.
        const mayRead = (await caller.may("log", wanted.namespace)).allowed;
        const told = mayRead && {
          findings: report.diagnosis.findings.map(adviceInWords),
          configuration: report.configuration,
        };
        return { ...recordOf(pod), state, image, executors, ...told };
      } catch (error) {
        throw clusterError(error);
      } finally {
        leave();
      }
    },
  });
}
