import type { Undo } from "@kindling/controller";
import type { Server } from "node:http";
import type { Server as TlsServer } from "node:tls";
import { followCertificate, tcpQueues, watchReaders } from "@kindling/service";
import { serveRoutes } from "../routes/serve-routes.ts";
import type { ServerContext } from "../routes/server-context.ts";
import { adminServer } from "./admin-server.ts";
import { listen, portOf, uriOf } from "./listen.ts";
import type { OpenedServer } from "./open-server.ts";
import { stopGracefully } from "./stop-gracefully.ts";
import { tlsOptions } from "./tls.ts";

/** A server that accepts requests. */
export interface StagingServer {
  /** Base URI of the protocol, as reached from this machine. */
  readonly uri: string;
  /** Base URI of health checks and metrics. */
  readonly adminUri: string;
  /** Stops: it accepts no new requests, then waits for those under way or for the end of the grace period. */
  stop(): Promise<void>;
}

/** Begins to accept connections. */
export async function serve(opened: OpenedServer, undo: Undo): Promise<Pick<StagingServer, "uri" | "adminUri">> {
  const { app, context } = opened;
  const { config, clock, connections, metrics } = context;
  await followFiles(opened, undo);
  await serveRoutes(app, context);
  await listen(app.server, config, "listen");
  // A connection that could not be accepted, because there is no descriptor, must not end the server.
  app.server.on("error", (error) => app.log.error({ err: error }, "a connection could not be accepted"));
  const readers = watchReaders({
    connections: () => connections.all(),
    clock,
    stallSeconds: config["limits.writeStall"],
    queues: () => tcpQueues(portOf(app.server)),
    onCut: () => metrics.connectionsCut.inc({ reason: "stalled" }),
  });
  undo.add(() => readers.close());
  undo.add(() => stopGracefully(app, context, config["shutdown.grace"]));
  const admin = await serveAdmin(context, undo);
  return {
    uri: uriOf(app.server, config["tls.certFile"] === undefined ? "http" : "https"),
    adminUri: uriOf(admin, "http"),
  };
}

/** Reads certificates and an access list again when they change while the server runs. */
async function followFiles({ app, context, reloadAccess }: OpenedServer, undo: Undo): Promise<void> {
  const { config, clock } = context;
  const watched = await followCertificate(config, {
    clock,
    intervalSeconds: config["tls.reloadInterval"],
    access: { file: config["auth.accessFile"], reload: reloadAccess },
    onRenewed(renewed) {
      if (renewed !== undefined) (app.server as unknown as TlsServer).setSecureContext(tlsOptions(renewed, config));
      app.log.info("certificates and access list read again");
    },
    // The last good files stay in use.
    onFault: (error) => app.log.error({ err: error }, "changed files cannot be used"),
  });
  undo.add(() => watched.close());
}

async function serveAdmin(
  { config, clock, metrics, blobs, plan, stopping }: ServerContext,
  undo: Undo,
): Promise<Server> {
  const admin = adminServer({
    registry: metrics.registry,
    probe: () => blobs.store.probe(),
    stopping,
    clock,
    mostConnections: plan.descriptors.admin,
  });
  await listen(admin, config, "admin");
  // This is closed last: until then it says why the server is not ready.
  undo.addLast(() => {
    admin.close();
    admin.closeAllConnections();
  });
  return admin;
}
