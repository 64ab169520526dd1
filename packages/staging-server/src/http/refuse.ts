import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemDocument, type ProblemName } from "@kindling/staging-client";
import type { ProblemError } from "../errors/problem-error.ts";
import { answerEarly, type Lingering } from "./answer-early.ts";

// After one of these refusals, a client has to use a new connection: other clients need the place of this one.
const CLOSING: ReadonlySet<ProblemName> = new Set(["unauthorized", "too-many-requests", "shutting-down"]);

/** Answers with a problem document, whatever happened to the request's body. */
export function refuse(request: FastifyRequest, reply: FastifyReply, error: ProblemError, lingering: Lingering): void {
  const { type, title, status, retryable } = PROBLEMS[error.problem];
  const { retryAfterSeconds, members, headers } = error.options;
  const document: ProblemDocument = {
    type,
    title,
    status,
    detail: error.message,
    retryable,
    requestId: request.id,
    ...members,
  };
  answerEarly(
    request,
    reply,
    {
      status,
      headers: {
        "cache-control": "no-store",
        "content-type": PROBLEM_MEDIA_TYPE,
        ...headers,
        ...((request.caller === null || CLOSING.has(error.problem)) && { connection: "close" }),
        ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
      },
      body: JSON.stringify(document),
    },
    lingering,
  );
}

/**
 * Answers a request whose route cannot be found, because its path is malformed or too long. No hook has seen it. So a
 * client that sends more of these needs a new connection for each.
 */
export function refuseUnroutable(response: ServerResponse, { code }: { readonly code?: string }): void {
  const { type, title, status, retryable } = PROBLEMS["invalid-request"];
  const detail = code === "FST_ERR_MAX_PARAM_LENGTH" ? "the path is too long" : "the path is malformed";
  const document: ProblemDocument = { type, title, status, detail, retryable, requestId: randomUUID() };
  response
    .writeHead(status, { "content-type": PROBLEM_MEDIA_TYPE, "cache-control": "no-store", connection: "close" })
    .end(JSON.stringify(document));
}
