import type { Undo } from "@kindling/controller";
import { KindlingError } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import { readCertificate } from "@kindling/service";
import type { FastifyInstance } from "fastify";
import { processLimits, type ProcessLimits } from "../budget/process-limits.ts";
import { needsCluster, type ClusterConnection } from "../cluster/cluster-connection.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { createApp } from "../http/app.ts";
import type { LogDestination } from "../http/log-lines.ts";
import { Metrics } from "../metrics/metrics.ts";
import type { ServerContext } from "../routes/server-context.ts";
import { damageLog } from "../stores/damage.ts";
import type { StepHook } from "../stores/local-disk/steps.ts";
import { openStorage } from "../stores/stores.ts";
import { assemble } from "./assemble.ts";
import { authenticateBy } from "../auth/authenticate-by.ts";
import { planServer, withinPlan } from "./server-plan.ts";
import { tlsOptions } from "./tls.ts";

/**
 * What a server gets besides its configuration. If unset, clock and randomness are this process's, and the environment,
 * which may contain credentials of S3, is empty.
 */
export interface ServerOptions extends Partial<Pick<Outside, "clock" | "random" | "env">> {
  /** The destination of log lines. */
  readonly log: LogDestination;
  /** Connects to the cluster, if the configuration needs one. */
  readonly connectCluster: (config: ServerConfig, notice: (message: string) => void) => Promise<ClusterConnection>;
  /** Called when the server cannot go on, because another one has taken over its data. */
  readonly onFatal?: (error: KindlingError) => void;
  /** The limits of this process; default: those of the system. */
  readonly limits?: ProcessLimits;
  /** For crash tests: called at each step of the local disk. */
  readonly onStep?: StepHook;
}

/** A server that does nothing yet. */
export interface OpenedServer {
  readonly app: FastifyInstance;
  readonly context: ServerContext;
  /** Reads the access file again. */
  readonly reloadAccess: () => Promise<void>;
}

/** @throws KindlingError if the configuration cannot be applied */
export async function openServer(
  settings: ServerConfig,
  options: ServerOptions & Outside,
  { stopping, undo }: { readonly stopping: AbortSignal; readonly undo: Undo },
): Promise<OpenedServer> {
  const { clock, random, env } = options;
  const plan = planServer(options.limits ?? processLimits(), settings);
  const config = withinPlan(settings, plan);
  // This comes first: a server must never start without its TLS.
  const certificate = await readCertificate(config);
  const metrics = new Metrics();
  const { app, connections } = createApp({
    config,
    log: options.log,
    https: certificate === undefined ? undefined : tlsOptions(certificate, config),
    clock,
    connections: { limits: plan.connections, onCut: (reason) => metrics.connectionsCut.inc({ reason }) },
  });
  const damage = damageLog(app.log);
  const storage = await openStorage(config["store.kind"], config, {
    descriptors: plan.descriptors,
    readBufferBytes: config["limits.readBuffer"],
    clock,
    random,
    env,
    onLost: () => options.onFatal?.(takenOver(config)),
    onDamage: damage.listener,
    ...(options.onStep !== undefined && { onStep: options.onStep }),
  });
  undo.add(() => storage.close());
  const notice = (message: string): void => app.log.warn(message);
  const cluster = needsCluster(config) ? await options.connectCluster(config, notice) : undefined;
  undo.add(() => cluster?.close());
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
    stopping,
  });
  undo.add(() => context.owners.close());
  undo.add(() => context.election.close());
  undo.add(() => context.cleaner.stop());
  undo.add(() => context.scrub.stop());
  return { app, context, reloadAccess: () => authentication.reload() };
}

function takenOver(config: ServerConfig): KindlingError {
  return new KindlingError("CONF_CONFLICT", `another server has taken over the data folder ${config["store.path"]}`, {
    hint: "run one server per folder",
  });
}
