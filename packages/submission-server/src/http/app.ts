import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { ServerCertificate } from "@kindling/service";
import Fastify, { type FastifyInstance } from "fastify";
import type { ServeConfig } from "../config/serve-config.ts";
import type { RouteConfig } from "./route-config.ts";
import { NAMED_SCHEMAS } from "./schemas.ts";

declare module "fastify" {
  interface FastifyContextConfig extends RouteConfig {}
}

// Room for 16 KiB of a token, which is more than a cluster issues, and for what else a request says.
const MAX_HEADER_BYTES = 20 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;

export interface AppOptions {
  readonly config: ServeConfig;
  readonly tls: ServerCertificate | undefined;
  readonly requestId: () => string;
}

/** The HTTP server without its routes: bodies are JSON, bounded in size and in the time that they take. */
export function createApp({ config, tls, requestId }: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: requestId,
    bodyLimit: config["limits.requestBytes"],
    routerOptions: { maxParamLength: 512 },
    ajv: { customOptions: { coerceTypes: "array", removeAdditional: false, allErrors: false } },
    // What is under way is waited for by the service itself.
    forceCloseConnections: false,
    return503OnClosing: false,
    serverFactory(handle) {
      const server = makeServer(config, tls);
      server.on("request", handle);
      return server;
    },
  }) as unknown as FastifyInstance;
  app.removeContentTypeParser("text/plain");
  for (const schema of NAMED_SCHEMAS) app.addSchema(schema);
  app.addHook("onSend", (request, reply, payload, done) => {
    void reply.header("request-id", request.id).header("x-content-type-options", "nosniff");
    if (!reply.hasHeader("cache-control")) void reply.header("cache-control", "no-store");
    done(null, payload);
  });
  return app;
}

function makeServer(config: ServeConfig, tls: ServerCertificate | undefined): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: config["limits.requestTimeout"] * 1000,
    keepAliveTimeout: 75_000,
    connectionsCheckingInterval: 2_000,
  };
  const server = tls === undefined ? createServer(options) : createSecureServer({ ...options, ...tlsOptions(tls) });
  server.maxConnections = config["listen.connections"];
  return server;
}

/** What Node takes of a certificate; the same again renews it. Clients are asked for theirs, and need not have one. */
export function tlsOptions({ certificate, key, clientCa }: ServerCertificate): object {
  const ofClients = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false };
  return { cert: certificate, key, minVersion: "TLSv1.2", ...ofClients };
}
