import type { FastifyReply, FastifyRequest } from "fastify";
import { PROBLEM_MEDIA_TYPE, PROBLEMS, type Clock, type ProblemDocument } from "@kindling/staging-client";
import type { ProblemError } from "../problem-error.ts";
import { answerEarly } from "./answer-early.ts";

/** Answers with a problem document, whatever has become of the request's body. */
export function refuse(request: FastifyRequest, reply: FastifyReply, error: ProblemError, clock: Clock): void {
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
        ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
      },
      body: JSON.stringify(document),
    },
    clock,
  );
}
