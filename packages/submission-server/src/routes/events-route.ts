import type { FastifyInstance } from "fastify";
import type { ApplicationRecord } from "../applications/application-record.ts";
import { eventStream } from "../events/event-stream.ts";
import { callerOf, demand } from "../http/caller.ts";
import { openStream } from "../http/open-stream.ts";
import { namespaceSchema } from "../schemas/schemas.ts";
import { asEvents, EVENT_ANSWERS, EVENTS, LAST_EVENT_ID, lastEventIdOf } from "./event-answers.ts";
import type { ServiceContext } from "./service-context.ts";
import { mayIn, streaming } from "./streaming.ts";

/** The events of all applications, as long as their reader wants them. */
export function eventsRoute(app: FastifyInstance, context: ServiceContext): void {
  const { events } = context;

  app.get("/api/v1/events", {
    config: { verb: "watch" },
    schema: {
      operationId: "events",
      summary: "What happens to all applications that the client may see",
      description: EVENTS,
      tags: ["events"],
      headers: LAST_EVENT_ID,
      querystring: { type: "object", additionalProperties: false, properties: { namespace: namespaceSchema } },
      response: EVENT_ANSWERS,
    },
    async handler(request, reply) {
      const query = request.query as { namespace?: string };
      context.audit.about(request, { namespace: query.namespace, resource: "pods" });
      const caller = callerOf(request);
      const namespace =
        query.namespace === undefined ? undefined : context.submissions.servedNamespace(query.namespace);
      if (namespace !== undefined) await demand(caller, "view", namespace);
      const isWanted = async (record: ApplicationRecord): Promise<boolean> =>
        (namespace === undefined || record.namespace === namespace) &&
        (await caller.may("view", record.namespace)).allowed;
      const isAllowed = namespace === undefined ? () => Promise.resolve(true) : mayIn("view", namespace);
      const lastEventId = lastEventIdOf(request);
      return await openStream(
        request,
        asEvents(reply),
        { ...streaming(context), waitsForFirst: false, isAllowed },
        (signal) => eventStream(events, { lastEventId, isWanted, endsWithApplication: false, signal }),
      );
    },
  });
}
