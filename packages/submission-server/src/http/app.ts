import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Clock } from "@kindling/outside";
import { type ConnectionGuard, guardConnections, proxyAddresses, type ServerCertificate } from "@kindling/service";
import Fastify, { type FastifyInstance } from "fastify";
import type { ServeConfig } from "../config/serve-keys.ts";
import { readJsonBodies } from "./json-bodies.ts";
import { readQueries } from "./query-values.ts";
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
  readonly clock: Clock;
  /** Told why a connection was cut, or not taken. */
  readonly onCut: (reason: string) => void;
}

/** The HTTP server without its routes, and the connections that it has. */
export interface App {
  readonly app: FastifyInstance;
  readonly connections: ConnectionGuard;
}

/**
 * The HTTP server without its routes: bodies are JSON, bounded in size and in the time that they take.
 *
 * @throws KindlingError `CONF_INVALID` for networks of proxies that are none
 */
export function createApp({ config, tls, requestId, clock, onCut }: AppOptions): App {
  const most = config["listen.connections"];
  const mostPerClient = config["limits.connectionsPerClient"] ?? Math.ceil(most / 2);
  const proxies = config["listen.trustedProxies"];
  const limits = { most, mostPerClient, isProxy: proxyAddresses(proxies) };
  let guard: ConnectionGuard | undefined;
  const app = Fastify({
    logger: false,
    genReqId: requestId,
    trustProxy: proxies.length === 0 ? false : [...proxies],
    bodyLimit: config["limits.requestBytes"],
    routerOptions: { maxParamLength: 512 },
    // Verbose, so that a refusal can say which members there are.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: false, verbose: true } },
    // What is under way is waited for by the service itself.
    forceCloseConnections: false,
    return503OnClosing: false,
    serverFactory(handle) {
      const server = makeServer(config, tls);
      guard = guardConnections(server, { request: handle }, { limits, clock, onCut });
      return server;
    },
  }) as unknown as FastifyInstance;
  if (guard === undefined) throw new Error("a server has been made");
  readJsonBodies(app);
  readQueries(app);
  for (const schema of NAMED_SCHEMAS) app.addSchema(schema);
  app.addHook("onSend", (request, reply, payload, done) => {
    void reply.header("request-id", request.id).header("x-content-type-options", "nosniff");
    if (!reply.hasHeader("cache-control")) void reply.header("cache-control", "no-store");
    done(null, payload);
  });
  return { app, connections: guard };
}

function makeServer(config: ServeConfig, tls: ServerCertificate | undefined): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: config["limits.requestTimeout"] * 1000,
    keepAliveTimeout: 75_000,
    connectionsCheckingInterval: 2_000,
  };
  if (tls === undefined) return createServer(options);
  return createSecureServer({ ...options, ...tlsOptions(tls), handshakeTimeout: HEADERS_TIMEOUT_MS });
}

/** What Node takes of a certificate; the same again renews it. Clients are asked for theirs, and need not have one. */
export function tlsOptions({ certificate, key, clientCa }: ServerCertificate): object {
  const ofClients = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false };
  return { cert: certificate, key, minVersion: "TLSv1.2", ...ofClients };
}
