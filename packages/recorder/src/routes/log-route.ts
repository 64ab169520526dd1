import { isName } from "@kindling/recorder-client";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "../http/caller.ts";
import { ProblemError } from "../http/problem.ts";
import { logParts, logTail, logText, textInProgress } from "../logs/read-log.ts";
import type { LogInProgress } from "../recording/log-in-progress.ts";
import { findRun, UID_PARAM } from "./find-run.ts";
import type { RecorderContext } from "./recorder-context.ts";
import type { Streams } from "./streams.ts";

interface LogQuery {
  readonly tailLines?: number | undefined;
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
  const { archive, history } = context;
  app.get("/api/v1/runs/:uid/logs/:log", {
    schema: SCHEMA,
    async handler(request, reply) {
      const { uid, log } = request.params as { readonly uid: string; readonly log: string };
      const { tailLines } = request.query as LogQuery;
      const current = history.byUid(uid) === undefined ? await context.logInProgress(uid, log) : undefined;
      if (current !== undefined && (await callerOf(request).mayRead(current.place.namespace)))
        return await sendCurrent(request, reply, { ...current, name: log, tailLines });
      const run = await findRun(context, request);
      const parts = isName(log) ? await logParts(archive, run, log) : [];
      if (parts.length === 0)
        throw new ProblemError("not-found", "this log is not kept", {
          hint: "logs are driver, executor-1 and so on; the member logs of the run names all of them",
        });
      void reply.type("text/plain; charset=utf-8");
      if (tailLines === undefined) return await streams.send(request, reply, logText(archive, parts));
      return await reply.send(textOfLines(await logTail(archive, parts, tailLines)));
    },
  });

  /** Of a run that is not stored yet: what has been read of it so far. */
  async function sendCurrent(
    request: FastifyRequest,
    reply: FastifyReply,
    { place, log, name, tailLines }: LogInProgress & { readonly name: string } & LogQuery,
  ): Promise<FastifyReply> {
    void reply.type("text/plain; charset=utf-8");
    if (tailLines !== undefined) return await reply.send(textOfLines((await log.tail(tailLines)).slice(-tailLines)));
    const parts = await logParts(archive, place, name);
    return await streams.send(request, reply, textInProgress(archive, parts, await log.unstored()));
  }
}

function textOfLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
