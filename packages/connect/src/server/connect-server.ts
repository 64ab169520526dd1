import { createUndo, startController } from "@kindling/controller";
import type { Step } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { type Outside, systemOutside } from "@kindling/outside";
import {
  accessReviews,
  adminServer,
  closeServer,
  jsonLog,
  listen,
  listening,
  type LogDestination,
  readCertificate,
  readText,
  uriOf,
} from "@kindling/service";
import { DriverConnections } from "../drivers/driver-connections.ts";
import { type CallContext, handleCall } from "../calls/handle-call.ts";
import { OpenCalls, type OpenCallsOptions } from "../calls/open-calls.ts";
import type { ConnectConfig } from "../config/connect-keys.ts";
import { Activity } from "../drivers/activity.ts";
import { Drivers } from "../drivers/drivers.ts";
import { RELEASED_MS } from "../drivers/decide.ts";
import { keeper } from "../drivers/keeper.ts";
import { DriverMaker } from "../drivers/make-driver.ts";
import { Profiles } from "../profiles/profiles.ts";
import { authenticateBy } from "../users/authenticate-by.ts";
import { mayUseProfiles } from "../profiles/may-use.ts";
import { readDriverDefaults, readDriverKey } from "./driver-files.ts";
import { followFiles } from "./follow-files.ts";
import { grpcServer, type GrpcServer, type GrpcServerOptions } from "./grpc-server.ts";
import { Metrics } from "./metrics.ts";
import { openAudit } from "./open-audit.ts";
import { stopServing } from "./stop-serving.ts";

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

/**
 * Starts the service.
 *
 * @throws KindlingError if the configuration cannot be carried out
 */
export async function startConnectServer(config: ConnectConfig, options: ConnectServerOptions): Promise<ConnectServer> {
  const { client, steps = [], outside = systemOutside() } = options;
  const { clock, env, random } = outside;
  const service = config["service.name"];
  const log = jsonLog(options.log, clock, config["log.level"]);
  const audit = openAudit(config, outside, log, options.log);
  const reviews = accessReviews(client);
  const authenticator = await authenticateBy(config, { clock, env, log, reviews });
  const profiles = new Profiles({
    ...{ file: config["profiles.file"], readFile: readText, usual: config["profiles.default"] },
    namespaces: config["cluster.namespaces"],
    mayUse: mayUseProfiles({ reviews, clock, cacheSeconds: config["auth.cache"] }),
    onFault: (fault) => log.error("a profile cannot be used", { fault }),
  });
  const given = { defaults: readDriverDefaults(config), tokenKey: readDriverKey(config) };
  const maker = new DriverMaker({ client, outside, steps, service, ...given });
  const connections = new DriverConnections(clock);
  const activity = new Activity(clock);
  const undo = createUndo();
  try {
    const drivers = new Drivers({
      ...{ client, outside, log, audit, service, maker, connections, namespaces: config["cluster.namespaces"] },
    });
    undo.add(() => drivers.stop());
    undo.add(() => connections.close());
    let open: GrpcServer | undefined;
    const cutting = { onCut: (reason: string): void => metrics.cut.inc({ reason }) };
    const calls = new OpenCalls({
      ...{ ...openCallLimitsOf(config), clock, authenticator, ...cutting },
      onRefused: (facts, error) => audit.refused(facts, error),
    });
    undo.add(() => calls.close());
    const metrics = new Metrics({
      connections: () => open?.size ?? 0,
      calls: () => calls.size,
      sessions: () => activity.sessions,
      drivers: () => drivers.states(),
    });
    const keeping = startController(
      keeper({
        ...{ client, outside, log, audit, drivers, maker, activity, connections },
        profileOf: (name) => profiles.byName(name),
        watchProfiles: (add) => profiles.watch(add),
        onStopped: (reason) => metrics.stopped.inc({ reason }),
      }),
      { clock, random, log },
    );
    undo.add(() => keeping.stop());
    const context = {
      ...{ clock, log, audit, authenticator, profiles, drivers, activity, calls, connections },
      ...callLimitsOf(config),
      onReleased: (profile: string) => keeping.addAfter(profile, RELEASED_MS),
      onEnd: (method: string, status: string, seconds: number) => metrics.calls.observe({ method, status }, seconds),
    };
    const tls = await readCertificate(config);
    const served = grpcServer({
      ...{ ...limitsOf(config), tls, clock, ...cutting },
      onCall: (call) => handleCall(call, context),
    });
    open = served;
    const port = await listening(config, "listen", (host, wanted) => listen(served.server, host, wanted));
    undo.add(() => stopServing(served, calls, config["shutdown.grace"] * 1000, clock));
    const admin = adminServer({
      ...{ clock, registry: metrics.registry },
      notReady: () => (drivers.cache.isSynced ? undefined : "the drivers have not been listed yet"),
    });
    const adminPort = await listening(config, "admin", (host, wanted) => listen(admin, host, wanted));
    undo.addLast(() => closeServer(admin));
    await followFiles(config, { served, authenticator, profiles, outside, log, undo });
    const adminUri = uriOf("http", config["admin.host"], adminPort);
    log.info("serving", { port, adminUri, auth: config["auth.modes"].join(","), profiles: profiles.all().length });
    return { host: config["listen.host"], port, adminUri, stop: () => undo.run() };
  } catch (error) {
    await undo.run();
    throw error;
  }
}

function limitsOf(
  config: ConnectConfig,
): Pick<GrpcServerOptions, "connections" | "connectionsPerClient" | "callsPerConnection" | "firstCallMs"> {
  return {
    connections: config["limits.connections"],
    connectionsPerClient: config["limits.connectionsPerClient"],
    callsPerConnection: config["limits.callsPerConnection"],
    firstCallMs: config["limits.firstMessage"] * 1000,
  };
}

function openCallLimitsOf(
  config: ConnectConfig,
): Pick<OpenCallsOptions, "most" | "mostPerUser" | "checkSeconds" | "stallSeconds"> {
  return {
    most: config["limits.calls"],
    mostPerUser: config["limits.callsPerUser"],
    checkSeconds: config["auth.cache"],
    stallSeconds: config["limits.readerStall"],
  };
}

function callLimitsOf(config: ConnectConfig): Pick<CallContext, "longestMessage" | "firstMessageMs" | "startWaitMs"> {
  return {
    longestMessage: config["limits.messageBytes"],
    firstMessageMs: config["limits.firstMessage"] * 1000,
    startWaitMs: config["calls.startWait"] * 1000,
  };
}
