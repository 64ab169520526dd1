import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer, type ServerOptions as HttpsOptions } from "node:https";
import type { Clock } from "@kindling/outside";
import { type ConnectionGuard, guardConnections, type GuardOptions } from "@kindling/service";
import Fastify, { LogController, type FastifyInstance } from "fastify";
import type { ServerConfig } from "../config/server-config.ts";
import { holdContinue, sendContinue } from "./continue.ts";
import { refuseUnroutable } from "./refuse.ts";
import { harmlessLines, loggedError, type LogDestination } from "./log-lines.ts";

// Room for a token of 16 KiB, which is more than a cluster issues, and for the other headers. A connection holds this
// much memory while its headers arrive.
const MAX_HEADER_BYTES = 20 * 1024;

export interface AppOptions {
  readonly config: ServerConfig;
  readonly log: LogDestination;
  readonly https: HttpsOptions | undefined;
  readonly clock: Clock;
  readonly connections: Omit<GuardOptions, "clock">;
}

/** The HTTP server without its routes, and the connections that it has. */
export interface App {
  readonly app: FastifyInstance;
  readonly connections: ConnectionGuard;
}

/** The HTTP server without its routes, set up so that it does not disturb long transfers. */
export function createApp({ config, log, https, clock, connections }: AppOptions): App {
  let guard: ConnectionGuard | undefined;
  const app = Fastify({
    logger: {
      level: config["log.level"],
      stream: harmlessLines(log),
      base: null,
      formatters: { level: (label: string) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      // By default only the id of a request is logged. These objects are never logged.
      serializers: {
        req: ({ id }: { id: string }) => ({ id }),
        res: () => ({}),
        err: (error: unknown) => ({ ...loggedError(error) }),
      },
      redact: ["authorization", "secret", "*.authorization", "*.secret", "headers"],
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: config["listen.trustedProxies"].length === 0 ? false : [...config["listen.trustedProxies"]],
    routerOptions: { maxParamLength: 2048 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: false } },
    frameworkErrors: (error, _request, reply) => refuseUnroutable(reply.raw, error),
    // The routes drain or refuse bodies; `shutdown` does what Fastify would do at shutdown.
    forceCloseConnections: false,
    return503OnClosing: false,
    serverFactory(handle) {
      const server = makeServer(config, https);
      guard = guardConnections(server, { request: handle }, { ...connections, clock });
      return server;
    },
  }) as unknown as FastifyInstance;
  if (guard === undefined) throw new Error("a server has been made");

  app.addHook("preParsing", (request, reply, payload, done) => {
    // Documents are small, so the client may send them at once. Routes that stream bodies allow it when they are ready.
    if (request.routeOptions.config.body !== "stream") sendContinue(request.raw, reply.raw);
    done(null, payload);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    void reply.header("request-id", request.id).header("x-content-type-options", "nosniff");
    done(null, payload);
  });
  return { app, connections: guard };
}

function makeServer(config: ServerConfig, https: HttpsOptions | undefined): Server {
  const headersTimeout = config["limits.headersTimeout"] * 1000;
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout,
    // Node ends requests after 300 s by default, even uploads that make progress (nodejs/node#46574). Here a guard checks
    // their progress instead.
    requestTimeout: 0,
    keepAliveTimeout: 75_000,
    // By default, Node checks for late headers every 30 s.
    connectionsCheckingInterval: Math.max(100, Math.min(headersTimeout / 4, 5_000)),
  };
  const server =
    https === undefined
      ? createServer(options)
      : createSecureServer({ ...options, ...https, handshakeTimeout: headersTimeout });
  holdContinue(server);
  return server;
}
