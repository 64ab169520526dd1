import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Clock } from "@kindling/outside";
import { type ConnectionGuard, guardConnections, proxyAddresses, type ServerCertificate } from "@kindling/service";
import Fastify, { type FastifyInstance } from "fastify";
import type { ServeConfig } from "../config/serve-keys.ts";
import { readJsonBodies } from "./json-bodies.ts";
import { readQueries } from "./query-values.ts";
import type { RouteConfig } from "./route-config.ts";
import { NAMED_SCHEMAS } from "../schemas/schemas.ts";

declare module "fastify" {
  interface FastifyContextConfig extends RouteConfig {}
}

// Room for a token of 16 KiB, which is more than a cluster issues, and for the other header fields.
const MAX_HEADER_BYTES = 20 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;

export interface AppOptions {
  readonly config: ServeConfig;
  readonly tls: ServerCertificate | undefined;
  readonly requestId: () => string;
  readonly clock: Clock;
  /** Called with the reason when a connection was cut or refused. */
  readonly onCut: (reason: string) => void;
}

/** The HTTP server without its routes, and its connections. */
export interface App {
  readonly app: FastifyInstance;
  readonly connections: ConnectionGuard;
}

/**
 * The HTTP server without its routes: bodies are JSON, with limits for size and time.
 *
 * @throws KindlingError `CONF_INVALID` for invalid networks of proxies
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
    // Verbose, so that an error can name the known members.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: false, verbose: true } },
    // The service itself waits for the running requests.
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

/** Node's TLS options for a certificate; setting them again renews it. Clients are asked for certificates, but need none. */
export function tlsOptions({ certificate, key, clientCa }: ServerCertificate): object {
  const ofClients = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false };
  return { cert: certificate, key, minVersion: "TLSv1.2", ...ofClients };
}
