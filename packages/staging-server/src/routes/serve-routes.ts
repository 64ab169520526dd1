import type { FastifyInstance } from "fastify";
import { admitRequests } from "../http/admit-requests.ts";
import { takeDocuments } from "../http/documents/take-documents.ts";
import { handleErrors } from "../http/error-handler.ts";
import type { ServerContext } from "./server-context.ts";
import { v0Routes } from "./v0/resource-routes.ts";
import { v1Routes } from "./v1/v1-routes.ts";

/** Adds all routes to a server. Every request gets one log line and one measurement, and is refused when the server stops. */
export async function serveRoutes(app: FastifyInstance, context: ServerContext): Promise<void> {
  handleErrors(app, context);
  admitRequests(app, context);
  takeDocuments(app, context);
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    const seconds = reply.elapsedTime / 1000;
    const status = reply.raw.statusCode;
    context.metrics.requests.observe(
      { route, method: request.method, status: `${Math.floor(status / 100)}xx` },
      seconds,
    );
    // The route, not the path: ids of uploads and leases are secret. There may be thousands of refused strangers a
    // second; they are counted, but logged only at debug level.
    const level = request.caller === null ? "debug" : "info";
    request.log[level]({ method: request.method, route, status, seconds }, "request");
    done();
  });
  await app.register(
    (scope, _options, done) => {
      v0Routes(scope, context);
      done();
    },
    { prefix: "/api/v0" },
  );
  await app.register(async (scope) => await v1Routes(scope, context), { prefix: "/api/v1" });
  await app.ready();
}
