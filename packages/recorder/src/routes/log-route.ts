import { isName } from "@kindling/recorder-client";
import type { FastifyInstance } from "fastify";
import { ProblemError } from "../http/problem.ts";
import { logParts, logTail, logText } from "../logs/read-log.ts";
import { findRun, UID_PARAM } from "./find-run.ts";
import type { RecorderContext } from "./recorder-context.ts";
import type { Streams } from "./streams.ts";

interface LogQuery {
  readonly tailLines?: number;
}

/** A tail is kept in memory. */
const MOST_TAIL_LINES = 100_000;

const SCHEMA = {
  params: { type: "object", properties: { uid: UID_PARAM, log: { type: "string", maxLength: 253 } } },
  querystring: {
    type: "object",
    additionalProperties: false,
    properties: { tailLines: { type: "integer", minimum: 0, maximum: MOST_TAIL_LINES } },
  },
};

/** The log of a driver or an executor, or the last lines of it. */
export function logRoute(app: FastifyInstance, context: RecorderContext, streams: Streams): void {
  const { archive } = context;
  app.get("/api/v1/runs/:uid/logs/:log", {
    schema: SCHEMA,
    async handler(request, reply) {
      const run = await findRun(context, request);
      const { log } = request.params as { readonly log: string };
      const { tailLines } = request.query as LogQuery;
      const parts = isName(log) ? await logParts(archive, run, log) : [];
      if (parts.length === 0)
        throw new ProblemError("not-found", "this log is not kept", {
          hint: "logs are driver, executor-1 and so on; the member logs of the run names all of them",
        });
      void reply.type("text/plain; charset=utf-8");
      if (tailLines === undefined) return await streams.send(request, reply, logText(archive, parts));
      const lines = await logTail(archive, parts, tailLines);
      return await reply.send(lines.map((line) => `${line}\n`).join(""));
    },
  });
}
