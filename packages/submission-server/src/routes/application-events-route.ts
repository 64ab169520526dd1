import type { FastifyInstance } from "fastify";
import type { Pod } from "kubernetes-types/core/v1.js";
import { type ApplicationRecord, hasEnded } from "../applications/application-record.ts";
import { eventStream, hasMissed } from "../events/event-stream.ts";
import { callerOf, demand } from "../http/caller.ts";
import { openStream } from "../http/open-stream.ts";
import { namespaceSchema } from "../schemas/schemas.ts";
import { ID_PARAMS, type IdParams } from "./application-id.ts";
import { asEvents, EVENT_ANSWERS, EVENTS, LAST_EVENT_ID, lastEventIdOf } from "./event-answers.ts";
import { driverPodOf, knownApplication, wantedApplication } from "./find-application.ts";
import type { ServiceContext } from "./service-context.ts";
import { mayIn, refuseAsCluster, streaming } from "./streaming.ts";

/** The events of one application, until it has ended. */
export function applicationEventsRoute(app: FastifyInstance, context: ServiceContext): void {
  const { events } = context;

  app.get("/api/v1/submissions/:id/events", {
    config: { verb: "watch" },
    schema: {
      operationId: "applicationEvents",
      summary: "What happens to an application",
      description: `${EVENTS} Ends when the application has ended or is gone; a client that comes back then is answered with 204.`,
      tags: ["events"],
      params: ID_PARAMS,
      headers: LAST_EVENT_ID,
      querystring: { type: "object", additionalProperties: false, properties: { namespace: namespaceSchema } },
      response: {
        ...EVENT_ANSWERS,
        204: { description: "There are no more events: the application has ended, and all was told", type: "null" },
      },
    },
    async handler(request, reply) {
      const { namespace } = request.query as { namespace?: string };
      const wanted = wantedApplication(context, (request.params as IdParams).id, namespace);
      context.audit.about(request, { namespace: wanted.namespace, resource: "pods", name: wanted.name });
      await demand(callerOf(request), "view", wanted.namespace);
      const known = knownApplication(context, wanted);
      const lastEventId = lastEventIdOf(request);
      const id = known?.id ?? idOf(await driverPodOf(context, wanted).catch(refuseAsCluster));
      const isOver = known !== undefined && hasEnded(known);
      // An EventSource reconnects until the server tells it that there will be no more events.
      if (isOver && lastEventId !== undefined && !hasMissed(events, lastEventId, id))
        return await reply.code(204).send();
      const isWanted = (record: ApplicationRecord): Promise<boolean> => Promise.resolve(record.id === id);
      const how = { ...streaming(context), waitsForFirst: false, isAllowed: mayIn("view", wanted.namespace) };
      return await openStream(request, asEvents(reply), how, (signal) =>
        eventStream(events, { lastEventId, isWanted, endsWithApplication: true, signal }),
      );
    },
  });
}

function idOf({ metadata }: Pod): string {
  return `${metadata?.namespace ?? ""}:${metadata?.name ?? ""}`;
}
