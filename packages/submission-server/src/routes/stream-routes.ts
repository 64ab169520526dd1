import { applicationLog, clusterError } from "@kindling/submit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Pod } from "kubernetes-types/core/v1.js";
import { type ApplicationRecord, hasEnded } from "../applications/application-record.ts";
import { eventStream, hasMissed } from "../events/event-stream.ts";
import type { Identity, Right } from "../auth/authenticator.ts";
import { callerOf, demand } from "../http/caller.ts";
import { openStream } from "../http/open-stream.ts";
import { namespaceSchema, textAnswers } from "../http/schemas.ts";
import { ID_PARAMS } from "./application-routes.ts";
import { driverPodOf, knownApplication, wantedApplication } from "./find-application.ts";
import type { ServiceContext } from "./service-context.ts";

const LAST_EVENT_ID = {
  type: "object",
  properties: {
    "last-event-id": { type: "string", description: "Of the last event that came: what has changed since follows" },
  },
};

const EVENTS =
  "Server-sent events: `reset` (all follow anew), `application` (how it is now), `current` (those were all), `gone`. " +
  "A client that comes back with Last-Event-ID is told what it has missed, or `reset`.";

const EVENT_ANSWERS = textAnswers("text/event-stream", "Events, for as long as there are any");

interface IdRequest {
  readonly id: string;
}

/** Logs and events, which continue as long as their readers want. */
export function streamRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { client, outside, gates, authenticator, connections, stopping, events } = context;

  const streaming = { gate: gates.streams, authenticator, connections, clock: outside.clock, stopping };

  app.get("/api/v1/submissions/:id/log", {
    schema: {
      operationId: "log",
      summary: "The log of the driver, or of an executor",
      description:
        "Of a container that has not started there is no log: that is 409, `not-started`, unless it is followed.",
      tags: ["applications"],
      params: ID_PARAMS,
      querystring: {
        type: "object",
        additionalProperties: false,
        properties: {
          namespace: namespaceSchema,
          follow: {
            type: "boolean",
            default: false,
            description: "Goes on until the container ends; one that has not begun is waited for",
          },
          executor: { type: "string", maxLength: 63, description: "An executor's id, for its log" },
          container: { type: "string", maxLength: 63, description: "Another container than Spark's" },
          tailLines: { type: "integer", minimum: 0, maximum: 1_000_000, description: "So many lines of its end" },
          sinceSeconds: { type: "integer", minimum: 1, description: "What was written in the last so many seconds" },
          timestamps: { type: "boolean", default: false, description: "Puts the time before each line" },
        },
      },
      response: textAnswers("text/plain", "The log, a line of it as a line"),
    },
    async handler(request, reply) {
      const { namespace, ...options } = request.query as LogQuery;
      const wanted = wantedApplication(context, (request.params as IdRequest).id, namespace);
      await demand(callerOf(request), "log", wanted.namespace);
      const pod = await driverPodOf(context, wanted).catch(refuseAsCluster);
      void reply.type("text/plain; charset=utf-8");
      // A reader that follows may wait long for the first line.
      const how = { ...streaming, waitsForFirst: !options.follow, isAllowed: mayIn("log", wanted.namespace) };
      return await openStream(request, reply, how, (signal) =>
        linesOf(
          applicationLog(client, pod, { ...options, signal, outside, howToWait: "follow=true", tell: () => undefined }),
        ),
      );
    },
  });

  app.get("/api/v1/submissions/:id/events", {
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
      const wanted = wantedApplication(context, (request.params as IdRequest).id, namespace);
      await demand(callerOf(request), "view", wanted.namespace);
      const known = knownApplication(context, wanted);
      const lastEventId = lastEventIdOf(request);
      const id = known?.id ?? idOf(await driverPodOf(context, wanted).catch(refuseAsCluster));
      const isOver = known !== undefined && hasEnded(known);
      // An EventSource reconnects until it is told that nothing more comes.
      if (isOver && lastEventId !== undefined && !hasMissed(events, lastEventId, id))
        return await reply.code(204).send();
      const isWanted = (record: ApplicationRecord): Promise<boolean> => Promise.resolve(record.id === id);
      const how = { ...streaming, waitsForFirst: false, isAllowed: mayIn("view", wanted.namespace) };
      return await openStream(request, asEvents(reply), how, (signal) =>
        eventStream(events, { lastEventId, isWanted, endsWithApplication: true, signal }),
      );
    },
  });

  app.get("/api/v1/events", {
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
      const caller = callerOf(request);
      const namespace =
        query.namespace === undefined ? undefined : context.submissions.servedNamespace(query.namespace);
      if (namespace !== undefined) await demand(caller, "view", namespace);
      const isWanted = async (record: ApplicationRecord): Promise<boolean> =>
        (namespace === undefined || record.namespace === namespace) &&
        (await caller.may("view", record.namespace)).allowed;
      const isAllowed = namespace === undefined ? () => Promise.resolve(true) : mayIn("view", namespace);
      const lastEventId = lastEventIdOf(request);
      return await openStream(request, asEvents(reply), { ...streaming, waitsForFirst: false, isAllowed }, (signal) =>
        eventStream(events, { lastEventId, isWanted, endsWithApplication: false, signal }),
      );
    },
  });
}

interface LogQuery {
  readonly namespace?: string;
  readonly follow: boolean;
  readonly executor?: string;
  readonly container?: string;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly timestamps: boolean;
}

function mayIn(right: Right, namespace: string): (identity: Identity) => Promise<boolean> {
  return async (identity) => (await identity.may(right, namespace)).allowed;
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers["last-event-id"];
  return typeof id === "string" ? id : undefined;
}

function asEvents(reply: FastifyReply): FastifyReply {
  return reply.type("text/event-stream; charset=utf-8");
}

async function* linesOf(lines: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  try {
    for await (const line of lines) yield `${line}\n`;
  } catch (error) {
    refuseAsCluster(error);
  }
}

function idOf({ metadata }: Pod): string {
  return `${metadata?.namespace ?? ""}:${metadata?.name ?? ""}`;
}

function refuseAsCluster(error: unknown): never {
  throw clusterError(error);
}
