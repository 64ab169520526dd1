import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Clock } from "@kindling/outside";
import { guardConnections, type ServerCertificate } from "@kindling/service";
import Fastify, { type FastifyInstance } from "fastify";
import type { RecorderConfig } from "../config/recorder-keys.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route is for drivers' pods. All others are for readers. */
    isOfDriver?: boolean;
  }
}

// Room for a token of 16 KiB, which is more than a cluster issues, and for the other header fields.
const MAX_HEADER_BYTES = 20 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 75_000;
// Readers' requests have no bodies.
const MAX_BODY_BYTES = 1024;

export interface AppOptions {
  readonly config: RecorderConfig;
  readonly tls: ServerCertificate | undefined;
  readonly requestId: () => string;
  readonly clock: Clock;
  /** Called with the reason when a connection was cut or refused. */
  readonly onCut: (reason: string) => void;
}

/** The HTTP server without its routes. */
export function createApp({ config, tls, requestId, clock, onCut }: AppOptions): FastifyInstance {
  const most = config["listen.connections"];
  const limits = { most, mostPerClient: most, isProxy: () => false };
  const app = Fastify({
    logger: false,
    genReqId: requestId,
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: 512 },
    ajv: { customOptions: { removeAdditional: false } },
    forceCloseConnections: true,
    return503OnClosing: false,
    serverFactory(handle) {
      const server = makeServer(tls);
      guardConnections(server, { request: handle }, { limits, clock, onCut });
      return server;
    },
  }) as unknown as FastifyInstance;
  app.addHook("onSend", (request, reply, payload, done) => {
    void reply
      .header("request-id", request.id)
      .header("x-content-type-options", "nosniff")
      .header("cache-control", "no-store");
    done(null, payload);
  });
  return app;
}

function makeServer(tls: ServerCertificate | undefined): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 2_000,
  };
  if (tls === undefined) return createServer(options);
  return createSecureServer({ ...options, ...tlsOptions(tls), handshakeTimeout: HEADERS_TIMEOUT_MS });
}

/** Node's TLS options for a certificate; setting them again renews it. */
export function tlsOptions({ certificate, key }: ServerCertificate): object {
  return { cert: certificate, key, minVersion: "TLSv1.2" };
}
