import type { FastifyInstance } from "fastify";
import { recordPath } from "../archive/archive-paths.ts";
import { ProblemError } from "../http/problem.ts";
import { findRun, UID_PARAM } from "./find-run.ts";
import type { RecorderContext } from "./recorder-context.ts";

const PARAMS = { type: "object", properties: { uid: UID_PARAM } };

/** Everything about one run besides its logs and executors. */
export function runRoute(app: FastifyInstance, context: RecorderContext): void {
  app.get("/api/v1/runs/:uid", {
    schema: { params: PARAMS },
    async handler(request, reply) {
      const record = await context.archive.read(recordPath(await findRun(context, request)));
      if (record === undefined) throw new ProblemError("not-found", "the files of this run are gone from the archive");
      return await reply.type("application/json").send(record);
    },
  });
}
