import type { FastifyInstance } from "fastify";
import { identify, identifyDriver } from "../http/caller.ts";
import type { DriverPods } from "../http/driver-pods.ts";
import { ProblemError } from "../http/problem.ts";
import type { Readers } from "../http/readers.ts";
import { eventLogRoutes, type EventLogRoutesOptions } from "./event-log-routes.ts";
import { keptEventLogRoutes } from "./kept-event-log-routes.ts";
import { ledgerRoutes } from "./ledger-routes.ts";
import { logRoute } from "./log-route.ts";
import { podEndsRoute, type PodEndsRouteOptions } from "./pod-ends-route.ts";
import { namespacesRoute } from "./namespaces-route.ts";
import type { RecorderContext } from "./recorder-context.ts";
import { runRoute } from "./run-route.ts";
import { runsRoute } from "./runs-route.ts";
import type { Streams } from "./streams.ts";
import { usageRoute } from "./usage-route.ts";

export interface ServeOptions {
  readonly context: RecorderContext;
  readonly streams: Streams;
  readonly readers: Readers;
  readonly pods: DriverPods;
  readonly eventLogs: EventLogRoutesOptions;
  readonly podEnds: PodEndsRouteOptions;
  /**
   * Whether only host names of this machine are accepted. Otherwise a web page could make its own host name resolve to this
   * service.
   */
  readonly isLocalOnly: boolean;
  readonly onAnswer: (route: string, status: number, seconds: number) => void;
}

/** Registers all routes. */
export function serveRoutes(app: FastifyInstance, options: ServeOptions): void {
  const { context, streams, readers, pods, eventLogs, podEnds, isLocalOnly, onAnswer } = options;
  app.addHook("onRequest", async (request) => {
    if (isLocalOnly && !isLocalName(request.headers.host))
      throw new ProblemError("forbidden", "this service is for this machine: ask it by 127.0.0.1 or localhost");
    if (request.routeOptions.config.isOfDriver === true) await identifyDriver(pods, request);
    else await identify(readers, request);
  });
  app.addHook("onResponse", (request, reply, done) => {
    onAnswer(request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  runsRoute(app, context);
  namespacesRoute(app, context);
  runRoute(app, context);
  ledgerRoutes(app, context, streams);
  logRoute(app, context, streams);
  keptEventLogRoutes(app, context, streams);
  usageRoute(app, context);
  eventLogRoutes(app, eventLogs);
  podEndsRoute(app, podEnds);
}

function isLocalName(host: string | undefined): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host ?? "");
}
