import type { FastifyInstance } from "fastify";
import { admitRequests } from "../http/admit-requests.ts";
import { takeDocuments } from "../http/documents/take-documents.ts";
import { handleErrors } from "../http/error-handler.ts";
import type { ServerContext } from "./server-context.ts";
import { v0Routes } from "./v0/resource-routes.ts";
import { v1Routes } from "./v1/v1-routes.ts";

/** Puts all routes onto a server, with what every request gets: refusals when stopping, one log line, one measurement. */
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
    // The route, not the path: ids of uploads and leases are nobody's business.
    // Of strangers who are refused there may be thousands a second; they are counted all the same.
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
