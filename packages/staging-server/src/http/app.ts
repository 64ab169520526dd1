import { randomUUID } from "node:crypto";
import type { ServerOptions as HttpsOptions } from "node:https";
import Fastify, { LogController, type FastifyInstance } from "fastify";
import type { ServerConfig } from "../config/server-config.ts";
import { holdContinue, sendContinue } from "./continue.ts";
import { harmlessLines, loggedError, type LogDestination } from "./log-lines.ts";

// Room for every token that a cluster may issue, and for 16 KiB of something that is none.
const MAX_HEADER_BYTES = 48 * 1024;
// A bundle of some thousand files, or a question about as many digests.
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/** The HTTP server without its routes, set up so that it does not get into the way of long transfers. */
export function createApp(config: ServerConfig, log: LogDestination, https: HttpsOptions | undefined): FastifyInstance {
  const options = {
    logger: {
      level: config["log.level"],
      stream: harmlessLines(log),
      base: null,
      formatters: { level: (label: string) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      // Nothing of a request but its id is logged unless a line says so; and these never are.
      serializers: {
        req: ({ id }: { id: string }) => ({ id }),
        res: () => ({}),
        err: (error: unknown) => ({ ...loggedError(error) }),
      },
      redact: ["authorization", "secret", "*.authorization", "*.secret", "headers"],
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_DOCUMENT_BYTES,
    genReqId: () => randomUUID(),
    // Node ends requests after 300 s by default, uploads among them that are doing well (nodejs/node#46574). Here a
    // guard looks at their progress instead.
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 75_000,
    routerOptions: { maxParamLength: 2048 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: false } },
    // Bodies are drained or refused by the routes; what Fastify would do at shutdown is done by `shutdown`.
    forceCloseConnections: false,
    return503OnClosing: false,
  };
  const headersTimeout = config["limits.headersTimeout"] * 1000;
  const http = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout,
    // Node looks for late headers every 30 s unless told otherwise.
    connectionsCheckingInterval: Math.max(100, Math.min(headersTimeout / 4, 5_000)),
  };
  const app = (https === undefined
    ? Fastify({ ...options, http })
    : Fastify({ ...options, https: { ...http, ...https } })) as unknown as FastifyInstance;

  app.server.headersTimeout = headersTimeout;
  app.server.requestTimeout = 0;
  holdContinue(app.server);
  app.addHook("preParsing", (request, reply, payload, done) => {
    // Documents are small: they are simply asked for. Routes that stream bodies ask when they are ready.
    if (request.routeOptions.config.streamsBody !== true) sendContinue(request.raw, reply.raw);
    done(null, payload);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    void reply.header("request-id", request.id).header("x-content-type-options", "nosniff");
    done(null, payload);
  });
  return app;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route reads the request's body by itself. */
    streamsBody?: boolean;
  }
}

/** Routes below read their bodies from `request.raw`. */
export function streamBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
}
