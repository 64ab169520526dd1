import type { FastifyRequest } from "fastify";
import { callerOf } from "../http/caller.ts";
import { ProblemError } from "../http/problem.ts";
import type { Run } from "@kindling/recorder-client";
import type { RecorderContext } from "./recorder-context.ts";

/** The JSON schema of a path with a run's uid. */
export const UID_PARAM: object = { type: "string", maxLength: 64 };

/**
 * The run of a request's path.
 *
 * @throws ProblemError `not-found`; for a run of others, the answer does not reveal that it exists
 */
export async function findRun({ history }: RecorderContext, request: FastifyRequest): Promise<Run> {
  const { uid } = request.params as { readonly uid: string };
  const run = history.byUid(uid);
  if (run !== undefined && (await callerOf(request).mayRead(run.namespace))) return run;
  throw new ProblemError("not-found", "no such run is kept, or its namespace is none that you may read the logs of");
}
