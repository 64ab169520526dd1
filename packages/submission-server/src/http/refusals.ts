import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ProblemError, toProblem } from "../errors/problem-error.ts";
import { SUBMISSION_PROBLEMS } from "../errors/problem.ts";
import { submitterError } from "../errors/submitter-error.ts";
import type { RequestAudit } from "./audit.ts";

export interface RefusalContext {
  readonly log: Log;
  readonly clock: Clock;
  readonly audit: RequestAudit;
}

/** When a client should try again after it was refused, or the API server could not be reached. */
const RETRY_AFTER_SECONDS = "1";

/** Every failure of a route ends here: a problem document for the client, and the cause for the log. */
export function handleRefusals(app: FastifyInstance, { log, clock, audit }: RefusalContext): void {
  app.setErrorHandler((error, request, reply) => answer(request, reply, toProblem(error)));

  function answer(request: FastifyRequest, reply: FastifyReply, problem: ProblemError): void {
    const { status } = SUBMISSION_PROBLEMS[problem.problem];
    audit.refused(request, problem);
    if (problem.problem === "internal")
      log.error("request failed", { request: request.id, error: causesOf(problem.cause) });
    else if (status >= 500 && problem.cause !== undefined)
      log.warn("request not carried out", { request: request.id, error: causesOf(problem.cause) });
    if (reply.raw.headersSent) {
      // A broken stream: the reader sees that it was cut.
      reply.raw.destroy();
      return;
    }
    // A client without valid credentials must open a new connection each time.
    if (problem.problem === "unauthorized") void reply.headers({ "www-authenticate": "Bearer", connection: "close" });
    if (status === 503) void reply.header("retry-after", RETRY_AFTER_SECONDS);
    if (request.routeOptions.config.isSubmitterContract === true) {
      const error = submitterError(problem, submissionIdOf(request), clock.now());
      void reply.code(error.status).type("application/json").send(JSON.stringify(error));
    } else {
      void reply
        .code(status)
        .type("application/problem+json")
        .send(JSON.stringify(documentOf(problem)));
    }
  }
}

function documentOf({ problem, message, code, hint }: ProblemError): object {
  const { status, title } = SUBMISSION_PROBLEMS[problem];
  return { type: `urn:kindling:submission:${problem}`, title, status, detail: message, code, hint };
}

function submissionIdOf({ body }: FastifyRequest): string {
  const id: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "submission_id") : undefined;
  return typeof id === "string" ? id.slice(0, 128) : "";
}

const MOST_CAUSES = 5;

function causesOf(error: unknown): string {
  const texts: string[] = [];
  for (let fault = error; fault !== undefined && texts.length < MOST_CAUSES; fault = causeOf(fault)) {
    const stack = fault instanceof Error && texts.length === 0 ? fault.stack : undefined;
    texts.push(stack ?? messageOf(fault));
  }
  return texts.join("; caused by ");
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
