import { createGunzip } from "node:zlib";
import type { RunPlace } from "@kindling/recorder-client";
import type { FastifyInstance } from "fastify";
import { executorsPath, stagesPath } from "../archive/archive-paths.ts";
import { findRun, UID_PARAM } from "./find-run.ts";
import type { RecorderContext } from "./recorder-context.ts";
import type { Streams } from "./streams.ts";

const PARAMS = { type: "object", properties: { uid: UID_PARAM } };

/** The driver and the executors of a run, and its stages: each in a line of JSON. */
export function ledgerRoutes(app: FastifyInstance, context: RecorderContext, streams: Streams): void {
  serve("executors", executorsPath);
  serve("stages", stagesPath);

  function serve(what: string, pathOf: (run: RunPlace) => string): void {
    app.get(`/api/v1/runs/:uid/${what}`, {
      schema: { params: PARAMS },
      async handler(request, reply) {
        const stored = await context.archive.open(pathOf(await findRun(context, request)));
        void reply.type("application/x-ndjson");
        if (stored === undefined) return await reply.send("");
        return await streams.send(request, reply, stored, createGunzip());
      },
    });
  }
}
