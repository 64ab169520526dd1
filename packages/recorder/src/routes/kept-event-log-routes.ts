import type { FastifyInstance, FastifyRequest } from "fastify";
import { isName, type Run } from "@kindling/recorder-client";
import { eventLogsFolder } from "../archive/archive-paths.ts";
import { ProblemError } from "../http/problem.ts";
import { findRun, UID_PARAM } from "./find-run.ts";
import type { RecorderContext } from "./recorder-context.ts";
import type { Streams } from "./streams.ts";

const PARAMS = { type: "object", properties: { uid: UID_PARAM, file: { type: "string", maxLength: 253 } } };

/** The event log of a run, in files as Spark's history server reads them. */
export function keptEventLogRoutes(app: FastifyInstance, context: RecorderContext, streams: Streams): void {
  const { archive } = context;

  app.get("/api/v1/runs/:uid/event-log", {
    schema: { params: PARAMS },
    async handler(request) {
      const { folder, path } = await eventLogOf(request);
      const files: { readonly name: string; readonly size: number }[] = [];
      for await (const { path: file, size } of archive.list(path))
        files.push({ name: file.slice(path.length + 1), size });
      return { folder, files: files.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
    },
  });

  app.get("/api/v1/runs/:uid/event-log/:file", {
    schema: { params: PARAMS },
    async handler(request, reply) {
      const { path } = await eventLogOf(request);
      const { file } = request.params as { readonly file: string };
      const stored = isName(file) ? await archive.open(`${path}/${file}`) : undefined;
      if (stored === undefined) throw new ProblemError("not-found", "the event log of this run has no such file");
      void reply.type("application/octet-stream");
      return await streams.send(request, reply, stored);
    },
  });

  async function eventLogOf(request: FastifyRequest): Promise<{ readonly folder: string; readonly path: string }> {
    const { eventLog, namespace }: Run = await findRun(context, request);
    if (eventLog !== undefined) return { folder: eventLog, path: `${eventLogsFolder(namespace)}/${eventLog}` };
    throw new ProblemError("not-found", "no event log is kept of this run", {
      hint: "spark.kindling.eventLog=record, which the chart can set for all applications, keeps the event logs of later runs",
    });
  }
}
