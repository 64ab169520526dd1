import type { Server as TlsServer } from "node:tls";
import type { Server } from "node:http";
import { createUndo, startController, type Undo } from "@kindling/controller";
import { KindlingError, messageOf, parseProperties, type Step } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { type Outside, sleep, systemOutside } from "@kindling/outside";
import {
  accessReviews,
  adminServer,
  closeServer,
  followCertificate,
  jsonLog,
  listen,
  listening,
  type Log,
  type LogDestination,
  readCertificate,
  readText,
  uriOf,
  watchFiles,
} from "@kindling/service";
import { DriverConnections } from "../calls/driver-connections.ts";
import { handleCall } from "../calls/handle-call.ts";
import { OpenCalls } from "../calls/open-calls.ts";
import type { ConnectConfig } from "../config/connect-keys.ts";
import { Activity } from "../drivers/activity.ts";
import { isGone } from "../drivers/driver-record.ts";
import { Drivers } from "../drivers/drivers.ts";
import { RELEASED_MS } from "../drivers/decide.ts";
import { keeper } from "../drivers/keeper.ts";
import { DriverMaker } from "../drivers/make-driver.ts";
import { Profiles } from "../profiles/profiles.ts";
import { authenticateBy, type ConfiguredAuthenticator } from "../users/authenticate-by.ts";
import { mayUseProfiles } from "../users/may-use.ts";
import { grpcServer, type GrpcServer, tlsOptions } from "./http2-server.ts";
import { Metrics } from "./metrics.ts";

export interface ConnectServerOptions {
  /** The destination of log lines. */
  readonly log: LogDestination;
  /** A client of the cluster, with the service's own account; the caller closes it. */
  readonly client: KubeClient;
  /** Steps that run for each Spark driver. */
  readonly steps?: readonly Step[];
  readonly outside?: Outside;
}

/** A service that has been started. */
export interface ConnectServer {
  readonly host: string;
  readonly port: number;
  /** Base URI of health checks and metrics. */
  readonly adminUri: string;
  stop(): Promise<void>;
}

const LEAST_KEY_BYTES = 32;

/**
 * Starts the service.
 *
 * @throws KindlingError if the configuration cannot be carried out
 */
export async function startConnectServer(config: ConnectConfig, options: ConnectServerOptions): Promise<ConnectServer> {
  const { client, steps = [], outside = systemOutside() } = options;
  const { clock, env } = outside;
  const log = jsonLog(options.log, clock, config["log.level"]);
  const reviews = accessReviews(client);
  const authenticator = await authenticateBy(config, { clock, env, log, reviews });
  const profiles = new Profiles({
    ...{ file: config["profiles.file"], readFile: readText, usual: config["profiles.default"] },
    namespaces: config["cluster.namespaces"],
    mayUse: mayUseProfiles({ reviews, clock, cacheSeconds: config["auth.cache"] }),
    onFault: (fault) => log.error("a profile cannot be used", { fault }),
  });
  const maker = new DriverMaker({ client, outside, steps, defaults: readDefaults(config), tokenKey: readKey(config) });
  const connections = new DriverConnections();
  const activity = new Activity(clock);
  const undo = createUndo();
  try {
    const drivers = new Drivers({
      ...{ client, outside, log, maker, connections, activity, namespaces: config["cluster.namespaces"] },
    });
    undo.add(() => drivers.stop());
    undo.add(() => connections.close());
    let open: GrpcServer | undefined;
    const calls: OpenCalls = new OpenCalls({
      ...{ clock, authenticator, most: config["limits.calls"], mostPerUser: config["limits.callsPerUser"] },
      ...{ checkSeconds: config["auth.cache"], stallSeconds: config["limits.readerStall"] },
      onCut: (reason) => metrics.cut.inc({ reason }),
    });
    undo.add(() => calls.close());
    const metrics = new Metrics({
      connections: () => open?.size ?? 0,
      calls: () => calls.size,
      sessions: () => activity.sessions,
      drivers: () =>
        [...drivers.cache.values()]
          .filter((driver) => !isGone(driver))
          .map(({ profile, key }) => ({ profile, state: key === undefined ? "waiting" : "in-use" })),
    });
    const keeping = startController(
      keeper({
        ...{ client, outside, log, drivers, maker, activity, connections },
        profileOf: (name) => profiles.byName(name),
        watchProfiles: (add) => profiles.watch(add),
        onStopped: (reason) => metrics.stopped.inc({ reason }),
      }),
      { clock, random: outside.random, log },
    );
    undo.add(() => keeping.stop());
    const context = {
      ...{ clock, log, authenticator, profiles, drivers, activity, calls, connections },
      longestMessage: config["limits.messageBytes"],
      firstMessageMs: config["limits.firstMessage"] * 1000,
      startWaitMs: config["calls.startWait"] * 1000,
      onReleased: (profile: string) => keeping.addAfter(profile, RELEASED_MS),
      onEnd: (method: string, status: string, seconds: number) => metrics.calls.observe({ method, status }, seconds),
    };
    const tls = await readCertificate(config);
    open = grpcServer({
      ...{ tls, clock, connections: config["limits.connections"] },
      connectionsPerClient: config["limits.connectionsPerClient"],
      callsPerConnection: config["limits.callsPerConnection"],
      firstCallMs: config["limits.firstMessage"] * 1000,
      onCall: (stream, headers) => handleCall(stream, headers, context),
      onCut: (reason) => metrics.cut.inc({ reason }),
    });
    const served = open;
    const port = await listening(config, "listen", (host, wanted) =>
      listen(served.server as unknown as Server, host, wanted),
    );
    undo.add(() => stopServing(served, calls, config["shutdown.grace"] * 1000, outside));
    const admin = adminServer({
      ...{ clock, registry: metrics.registry },
      notReady: () => (drivers.cache.isSynced ? undefined : "the drivers have not been listed yet"),
    });
    const adminPort = await listening(config, "admin", (host, wanted) => listen(admin, host, wanted));
    undo.addLast(() => closeServer(admin));
    await follow(config, { served, authenticator, profiles, outside, log, undo });
    const adminUri = uriOf("http", config["admin.host"], adminPort);
    log.info("serving", { port, adminUri, auth: config["auth.modes"].join(","), profiles: profiles.all().length });
    return { host: config["listen.host"], port, adminUri, stop: () => undo.run() };
  } catch (error) {
    await undo.run();
    throw error;
  }
}

interface Followed {
  readonly served: GrpcServer;
  readonly authenticator: ConfiguredAuthenticator;
  readonly profiles: Profiles;
  readonly outside: Outside;
  readonly log: Log;
  readonly undo: Undo;
}

/** Reads the files again when they change. */
async function follow(
  config: ConnectConfig,
  { served, authenticator, profiles, outside: { clock }, log, undo }: Followed,
): Promise<void> {
  const every = { clock, intervalSeconds: config["tls.reloadInterval"] };
  const onFault = (error: unknown): void => log.error("changed files cannot be used", { error: messageOf(error) });
  const certificates = await followCertificate(config, {
    ...every,
    access: { file: config["auth.accessFile"], reload: () => authenticator.reload() },
    onRenewed(renewed) {
      if (renewed !== undefined) (served.server as unknown as TlsServer).setSecureContext(tlsOptions(renewed));
      log.info("certificates and access file read again");
    },
    onFault,
  });
  undo.add(() => certificates.close());
  const file = await watchFiles([config["profiles.file"]], {
    ...every,
    onChange: () =>
      Promise.resolve()
        .then(() => profiles.read())
        .catch(onFault),
  });
  undo.add(() => file.close());
}

/** Accepts no more calls, lets those that are under way end, and then cuts them. */
async function stopServing(
  { server, goAway, destroy }: GrpcServer,
  calls: OpenCalls,
  graceMs: number,
  { clock }: Outside,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  goAway();
  const end = clock.monotonic() + graceMs;
  while (calls.size > 0 && clock.monotonic() < end) await sleep(clock, 50);
  calls.endAll();
  // The last statuses are still being sent.
  await sleep(clock, 50);
  destroy();
  await closed;
}

function readDefaults(config: ConnectConfig): Readonly<Record<string, string>> {
  const file = config["drivers.defaultsFile"];
  return file === undefined ? {} : parseProperties(readText(file));
}

function readKey(config: ConnectConfig): Buffer | undefined {
  const file = config["drivers.keyFile"];
  if (file === undefined) return undefined;
  const key = Buffer.from(readText(file).trim());
  if (key.length >= LEAST_KEY_BYTES) return key;
  throw new KindlingError("CONF_INVALID", `drivers.keyFile: ${file} has fewer than ${LEAST_KEY_BYTES} bytes`);
}
