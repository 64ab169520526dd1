import type { FastifyReply, FastifyRequest } from "fastify";
import { type Schema, textAnswers } from "../schemas/schemas.ts";

export const LAST_EVENT_ID: Schema = {
  type: "object",
  properties: {
    "last-event-id": { type: "string", description: "Of the last event that came: what has changed since follows" },
  },
};

export const EVENTS: string =
  "Server-sent events: `reset` (all follow anew), `application` (how it is now), `current` (those were all), `gone`. " +
  "A client that comes back with Last-Event-ID is told what it has missed, or `reset`.";

export const EVENT_ANSWERS: Schema = textAnswers("text/event-stream", "Events, for as long as there are any");

export function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers["last-event-id"];
  return typeof id === "string" ? id : undefined;
}

export function asEvents(reply: FastifyReply): FastifyReply {
  return reply.type("text/event-stream; charset=utf-8");
}
