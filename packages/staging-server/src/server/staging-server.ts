import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server as TlsServer } from "node:tls";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { systemOutside, type Outside } from "@kindling/outside";
import { followCertificate, readCertificate, tcpQueues, watchReaders } from "@kindling/service";
import { processLimits, type ProcessLimits } from "../budget/process-limits.ts";
import { needsCluster, type ClusterConnection } from "../cluster/cluster-connection.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { createApp } from "../http/app.ts";
import type { LogDestination } from "../http/log-lines.ts";
import { serverMetrics } from "../metrics/metrics.ts";
import { serveRoutes } from "../routes/serve-routes.ts";
import { damageLog } from "../stores/damage.ts";
import type { StepHook } from "../stores/local-disk/steps.ts";
import { openStorage } from "../stores/stores.ts";
import { adminServer } from "./admin-server.ts";
import { assemble } from "./assemble.ts";
import { authenticateBy } from "./authenticate-by.ts";
import { planServer, withinPlan } from "./server-plan.ts";
import { stopGracefully } from "./stop-gracefully.ts";
import { tlsOptions } from "./tls.ts";

/**
 * What a server is given besides its configuration. Clock and randomness are this process's if unset; the environment, in
 * which credentials of S3 may stand, is empty then.
 */
export interface ServerOptions extends Partial<Pick<Outside, "clock" | "random" | "env">> {
  /** Where log lines go. */
  readonly log: LogDestination;
  /** Reaches the cluster, where the configuration needs one. */
  readonly connectCluster: (config: ServerConfig, notice: (message: string) => void) => Promise<ClusterConnection>;
  /** Told when the server cannot go on: its data was taken over by another one. */
  readonly onFatal?: (error: KindlingError) => void;
  /** What this process may have; default: what the system says. */
  readonly limits?: ProcessLimits;
  /** For crash tests: told of each step of the local disk. */
  readonly onStep?: StepHook;
}

/** A server that accepts requests. */
export interface StagingServer {
  /** Base URI of the protocol, as reached from this machine. */
  readonly uri: string;
  /** Base URI of health checks and metrics. */
  readonly adminUri: string;
  /** Stops: no new requests, then the end of those under way or of the grace, whichever comes first. */
  stop(): Promise<void>;
}

/**
 * Starts a server.
 *
 * @throws KindlingError if the configuration cannot be carried out
 */
export async function startStagingServer(settings: ServerConfig, options: ServerOptions): Promise<StagingServer> {
  const { clock, random, env } = { ...systemOutside(), env: {}, ...options };
  const stopping = new AbortController();
  const undo: (() => unknown)[] = [];
  const rollBack = async (): Promise<void> => {
    for (const step of undo.reverse()) await step();
  };
  try {
    const plan = planServer(options.limits ?? processLimits(), settings);
    const config = withinPlan(settings, plan);
    // Before all else: a server never starts half-way without TLS.
    const certificate = await readCertificate(config);
    const metrics = serverMetrics();
    const { app, connections } = createApp({
      config,
      log: options.log,
      https: certificate === undefined ? undefined : tlsOptions(certificate, config),
      clock,
      connections: { limits: plan.connections, onCut: (reason) => metrics.connectionsCut.inc({ reason }) },
    });
    const fatal = (): void => options.onFatal?.(takenOver(config));
    const hook = options.onStep === undefined ? {} : { onStep: options.onStep };
    const damage = damageLog(app.log);
    const storage = await openStorage(config["store.kind"], config, {
      descriptors: plan.descriptors,
      readBufferBytes: config["limits.readBuffer"],
      clock,
      random,
      env,
      onLost: fatal,
      onDamage: damage.listener,
      ...hook,
    });
    undo.push(() => storage.close());
    const notice = (message: string): void => app.log.warn(message);
    const cluster = needsCluster(config) ? await options.connectCluster(config, notice) : undefined;
    undo.push(() => cluster?.close());
    const authentication = await authenticateBy(config, clock, cluster?.reviews);

    const context = await assemble({
      config,
      plan,
      connections,
      metrics,
      storage,
      damage: damage.count,
      cluster,
      authenticator: authentication.authenticator,
      clock,
      random,
      log: app.log,
      replica: random.uuid(),
      stopping: stopping.signal,
    });
    undo.push(
      () => context.owners.close(),
      () => context.election.close(),
      () => context.cleaner.stop(),
      () => context.scrub.stop(),
    );
    const watched = await followCertificate(config, {
      clock,
      intervalSeconds: config["tls.reloadInterval"],
      access: { file: config["auth.accessFile"], reload: () => authentication.reload() },
      onRenewed(renewed) {
        if (renewed !== undefined) (app.server as unknown as TlsServer).setSecureContext(tlsOptions(renewed, config));
        app.log.info("certificates and access list read again");
      },
      // What was read last goes on being used.
      onFault: (error) => app.log.error({ err: error }, "changed files cannot be used"),
    });
    undo.push(() => watched.close());

    await serveRoutes(app, context);
    await listen(app.server, config, "listen");
    // A connection that could not be accepted, for want of a descriptor, is no reason to end.
    app.server.on("error", (error) => app.log.error({ err: error }, "a connection could not be accepted"));
    const readers = watchReaders({
      connections: () => connections.all(),
      clock,
      stallSeconds: config["limits.writeStall"],
      queues: () => tcpQueues(portOf(app.server)),
      onCut: () => metrics.connectionsCut.inc({ reason: "stalled" }),
    });
    undo.push(() => readers.close());
    undo.push(() => stopGracefully(app, context, config["shutdown.grace"]));
    const admin = adminServer({
      registry: context.metrics.registry,
      probe: () => context.blobs.store.probe(),
      stopping: stopping.signal,
      clock,
      mostConnections: plan.descriptors.admin,
    });
    await listen(admin, config, "admin");
    // Last to go: until then it says why the server is not ready.
    undo.unshift(
      () => admin.closeAllConnections(),
      () => void admin.close(),
    );
    context.cleaner.start();
    context.scrub.start();

    const uri = uriOf(app.server, config["tls.certFile"] === undefined ? "http" : "https");
    const adminUri = uriOf(admin, "http");
    app.log.info({ descriptors: plan.descriptors, memory: plan.memory }, "limits");
    app.log.info({ uri, adminUri, store: storage.store.kind, auth: authentication.authenticator.mode }, "serving");
    let stopped: Promise<void> | undefined;
    return {
      uri,
      adminUri,
      stop() {
        stopping.abort();
        return (stopped ??= rollBack());
      },
    };
  } catch (error) {
    await rollBack();
    throw error;
  }
}

function takenOver(config: ServerConfig): KindlingError {
  return new KindlingError("CONF_CONFLICT", `another server has taken over the data folder ${config["store.path"]}`, {
    hint: "run one server per folder",
  });
}

async function listen(server: Server, config: ServerConfig, which: "listen" | "admin"): Promise<void> {
  const host = config[`${which}.host`];
  const port = config[`${which}.port`];
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      const message = `cannot listen on ${host}:${port}: ${messageOf(error)}`;
      reject(
        new KindlingError("CONF_INVALID", message, { hint: `change ${which}.host or ${which}.port`, cause: error }),
      );
    });
    server.listen({ host, port }, resolve);
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function uriOf(server: Server, scheme: string): string {
  const { address, port, family } = server.address() as AddressInfo;
  const anywhere = address === "0.0.0.0" || address === "::";
  const host = anywhere ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `${scheme}://${host}:${port}/`;
}
