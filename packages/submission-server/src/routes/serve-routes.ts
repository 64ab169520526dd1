import swagger from "@fastify/swagger";
import type { AuditLog } from "@kindling/service";
import type { FastifyInstance } from "fastify";
import { ProblemError } from "../errors/problem-error.ts";
import { auditRequests } from "../http/audit.ts";
import { identify } from "../http/caller.ts";
import { knownPaths } from "../http/known-paths.ts";
import { handleRefusals } from "../http/refusals.ts";
import { takeTurns } from "../http/turns.ts";
import { applicationEventsRoute } from "./application-events-route.ts";
import { eventsRoute } from "./events-route.ts";
import { killRoute } from "./kill-route.ts";
import { listRoute } from "./list-route.ts";
import { logRoute } from "./log-route.ts";
import type { ServiceContext } from "./service-context.ts";
import { sparkSubmitRoutes } from "./spark-submit-routes.ts";
import { statusRoute } from "./status-route.ts";
import { submitRoute } from "./submit-route.ts";

export interface ServeOptions {
  /**
   * Whether only host names of this machine are accepted. Otherwise a web page could make its own host name resolve to this
   * service.
   */
  readonly isLocalOnly: boolean;
  readonly auditLog: AuditLog;
}

/** The order is the order of the description in `/openapi.json`. */
const ROUTES: readonly ((app: FastifyInstance, context: ServiceContext) => void)[] = [
  submitRoute,
  listRoute,
  statusRoute,
  killRoute,
  logRoute,
  applicationEventsRoute,
  eventsRoute,
  sparkSubmitRoutes,
];

/** The version of the API, which only gets compatible additions within `/api/v1`. */
const API_VERSION = "1.0.0";

/** Registers all routes. A request's body is read only after its sender is known. */
export async function serveRoutes(
  app: FastifyInstance,
  context: Omit<ServiceContext, "audit">,
  { isLocalOnly, auditLog }: ServeOptions,
): Promise<void> {
  const { authenticator, connections, metrics, gates } = context;
  const audit = auditRequests(auditLog);
  handleRefusals(app, { audit, log: context.log, clock: context.outside.clock });
  const paths = knownPaths(app);
  app.addHook("onRequest", async (request, reply) => {
    if (isLocalOnly && !isLocalName(request.headers.host))
      throw new ProblemError("forbidden", "this service is for this machine: ask it by 127.0.0.1 or localhost");
    // Refused before the body is read, because the body may have any type.
    if (request.is404) paths.refuse(request, reply);
    if (request.routeOptions.config.isOpen === true) return;
    const { subject } = await identify(authenticator, request);
    // Without authentication, only the address distinguishes clients.
    if (!isLocalOnly) connections.spanOf(request.raw)?.connection.identified(`subject ${subject}`);
  });
  takeTurns(app, gates.submissions);
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.is404 ? "none" : (request.routeOptions.url ?? "none");
    metrics.requests.observe(
      { route, method: request.method, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    done();
  });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Kindling's submission service",
        description: "Spark applications on Kubernetes: submissions, status, logs, events.",
        version: API_VERSION,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
      security: [{ bearer: [] }, {}],
    },
    refResolver: { buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `def-${index}`) },
  });
  // This comes after the plug-in, because the plug-in sees only routes that are registered after it.
  app.register((own, _options, done) => {
    for (const route of ROUTES) route(own, { ...context, audit });
    own.get("/openapi.json", { config: { isOpen: true }, schema: { hide: true } }, () => app.swagger());
    done();
  });
  await app.ready();
}

function isLocalName(host: string | undefined): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host ?? "");
}
