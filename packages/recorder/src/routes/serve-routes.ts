import type { FastifyInstance } from "fastify";
import { identify } from "../http/caller.ts";
import { ProblemError } from "../http/problem.ts";
import type { Readers } from "../http/readers.ts";
import { executorsRoute } from "./executors-route.ts";
import { logRoute } from "./log-route.ts";
import type { RecorderContext } from "./recorder-context.ts";
import { runRoute } from "./run-route.ts";
import { runsRoute } from "./runs-route.ts";
import type { Streams } from "./streams.ts";
import { usageRoute } from "./usage-route.ts";

export interface ServeOptions {
  readonly context: RecorderContext;
  readonly streams: Streams;
  readonly readers: Readers;
  /**
   * Whether only host names of this machine are accepted. Otherwise a web page could make its own host name resolve to this
   * service.
   */
  readonly isLocalOnly: boolean;
  readonly onAnswer: (route: string, status: number, seconds: number) => void;
}

/** Registers all routes. */
export function serveRoutes(app: FastifyInstance, options: ServeOptions): void {
  const { context, streams, readers, isLocalOnly, onAnswer } = options;
  app.addHook("onRequest", async (request) => {
    if (isLocalOnly && !isLocalName(request.headers.host))
      throw new ProblemError("forbidden", "this service is for this machine: ask it by 127.0.0.1 or localhost");
    await identify(readers, request);
  });
  app.addHook("onResponse", (request, reply, done) => {
    onAnswer(request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  runsRoute(app, context);
  runRoute(app, context);
  executorsRoute(app, context, streams);
  logRoute(app, context, streams);
  usageRoute(app, context);
}

function isLocalName(host: string | undefined): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host ?? "");
}
