import { messageOf } from "@kindling/core-spec";
import type { Log } from "@kindling/service";
import type { FastifyInstance } from "fastify";
import { ArchiveError } from "../archive/archive.ts";
import { ProblemError, RECORDER_PROBLEMS } from "./problem.ts";

/** When a client should try again. */
const RETRY_AFTER_SECONDS = "2";

/** Every failure of a route ends here: a problem document for the client, and the cause for the log. */
export function handleRefusals(app: FastifyInstance, log: Log): void {
  app.setNotFoundHandler(() => {
    throw new ProblemError("not-found", "nothing is served at this path");
  });
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    const { status, title } = RECORDER_PROBLEMS[problem.problem];
    if (status >= 500 && problem.cause !== undefined)
      log.warn("a request failed", { request: request.id, error: messageOf(problem.cause) });
    if (reply.raw.headersSent) {
      // A broken stream: the reader sees that it was cut.
      reply.raw.destroy();
      return;
    }
    if (problem.problem === "unauthorized") void reply.headers({ "www-authenticate": "Bearer", connection: "close" });
    if (status === 503) void reply.header("retry-after", RETRY_AFTER_SECONDS);
    const type = `urn:kindling:recorder:${problem.problem}`;
    void reply
      .code(status)
      .type("application/problem+json")
      .send(JSON.stringify({ type, title, status, detail: problem.message, hint: problem.hint }));
  });
}

function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof ArchiveError)
    return new ProblemError("unavailable", "the archive does not answer at present", { cause: error });
  const status: unknown = error instanceof Error ? Reflect.get(error, "statusCode") : undefined;
  if (typeof status === "number" && status < 500) return new ProblemError("invalid-request", messageOf(error));
  return new ProblemError("internal", "the request failed; the recorder's log says why", { cause: error });
}
