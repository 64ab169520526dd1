import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { harmlessText } from "@kindling/core-spec";
import { ProblemError, storageProblem } from "../errors/problem-error.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Lingering } from "./answer-early.ts";
import { refuse } from "./refuse.ts";

/** What is needed to count a refusal and to send it. */
export interface RefusalContext {
  readonly metrics: Pick<Metrics, "refusals">;
  readonly lingering: Lingering;
}

/** Every failure of a route ends here: a problem document for the client, and the cause for the log. */
export function handleErrors(app: FastifyInstance, context: RefusalContext): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    answer(request, reply, toProblem(error));
  });
  app.setNotFoundHandler((request, reply) => {
    answer(request, reply, new ProblemError("not-found", `nothing is served at ${request.method} ${pathOf(request)}`));
  });

  function answer(request: FastifyRequest, reply: FastifyReply, problem: ProblemError): void {
    context.metrics.refusals.inc({ problem: problem.problem });
    if (problem.problem === "internal") request.log.error({ err: problem.cause }, "request failed");
    else if (problem.cause !== undefined) request.log.warn({ err: problem.cause, problem: problem.problem }, "refused");
    // The client is gone, or has its answer already: no answer can be sent.
    if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) reply.raw.destroy();
    else refuse(request, reply, problem, context.lingering);
  }
}

function toProblem(thrown: FastifyError): ProblemError {
  const error = storageProblem(thrown);
  if (error instanceof ProblemError) return error;
  if (thrown.validation !== undefined) return new ProblemError("invalid-request", thrown.message);
  const { statusCode } = thrown;
  if (statusCode === 400) return new ProblemError("invalid-request", thrown.message);
  if (statusCode === 413) return new ProblemError("too-large", "the document is larger than this server reads");
  if (statusCode === 415) return new ProblemError("unsupported-media-type", "send application/json");
  return new ProblemError("internal", "the request failed; the server's log says why", { cause: thrown });
}

/** The path without the query, which may contain a lease; at most 1 KiB of it. */
export function pathOf(request: FastifyRequest): string {
  return harmlessText(request.url.split("?")[0] ?? "");
}
