import { createUndo } from "@kindling/controller";
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
  openAuditLog,
  readCertificate,
  tcpQueues,
  uriOf,
  watchReaders,
} from "@kindling/service";
import { watchApplications } from "../applications/applications.ts";
import { authenticateBy } from "../auth/configured.ts";
import type { ServeConfig } from "../config/serve-keys.ts";
import { ChangeLog } from "../applications/change-log.ts";
import { Metrics } from "../metrics/metrics.ts";
import { gatesOf } from "../http/gates.ts";
import { createApi } from "./create-api.ts";
import { followFiles } from "./follow-files.ts";
import { stopGracefully } from "./stop-gracefully.ts";

export interface SubmissionServerOptions {
  /** The destination of log lines. */
  readonly log: LogDestination;
  /** A client of the cluster, with the service's own account; the caller closes it. */
  readonly client: KubeClient;
  /** Configuration that each submission starts with. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Steps that run for each submission. */
  readonly steps?: readonly Step[];
  readonly outside?: Outside;
}

/** A service that takes submissions. */
export interface SubmissionServer {
  /** Base URI of the API, for requests from this machine. */
  readonly uri: string;
  /** Base URI of health checks and metrics. */
  readonly adminUri: string;
  /** Resolves when the applications have been listed once. Submissions are accepted before that. */
  readonly ready: Promise<void>;
  /** Accepts no more submissions, ends streams, and waits for running requests, but no longer than the grace period. */
  stop(): Promise<void>;
}

/**
 * Starts a service.
 *
 * @throws KindlingError if the configuration cannot be carried out
 */
export async function startSubmissionServer(
  config: ServeConfig,
  options: SubmissionServerOptions,
): Promise<SubmissionServer> {
  const { client, defaults = {}, steps = [], outside = systemOutside() } = options;
  const { clock, env, random } = outside;
  const log = jsonLog(options.log, clock, config["log.level"]);
  const authentication = await authenticateBy(config, { clock, env, log, reviews: accessReviews(client) });
  const auditLog = openAuditLog(config["audit.logPath"], {
    ...{ clock, random, log, stdout: options.log },
    component: "serve",
  });
  const tls = await readCertificate(config);
  const changes = new ChangeLog(config["limits.eventsKept"]);
  const gates = gatesOf(config);
  const stopping = new AbortController();
  const applications = watchApplications({
    ...{ client, namespaces: config["cluster.namespaces"], changes, clock, random },
    // A namespace that was deleted stays refused: this is said once.
    onError(error, namespace, isRefusedAgain) {
      if (!isRefusedAgain) log.warn("the watch of applications", { namespace, error: error.message });
    },
  });
  const metrics = new Metrics({ applications, gates });
  const undo = createUndo();
  undo.add(() => applications.stop());
  try {
    const onCut = (reason: string): void => metrics.connectionsCut.inc({ reason });
    const { app, connections } = await createApi(config, {
      ...{ client, outside, log, auditLog, metrics, applications, changes, gates, tls, defaults, steps, onCut },
      authenticator: authentication.authenticator,
      stopping: stopping.signal,
    });
    const port = await listening(config, "listen", (host, wanted) => listen(app.server, host, wanted));
    const readers = watchReaders({
      connections: () => connections.all(),
      clock,
      stallSeconds: config["limits.writeStall"],
      queues: () => tcpQueues(port),
      onCut: () => onCut("stalled"),
    });
    undo.add(() => readers.close());
    const graceMs = config["shutdown.grace"] * 1000;
    undo.add(() => stopGracefully(app, { submissions: gates.submissions, graceMs, clock, log }));
    const admin = adminServer({
      clock,
      registry: metrics.registry,
      notReady() {
        if (stopping.signal.aborted) return "the service is stopping";
        return applications.isSynced ? undefined : "the applications have not been listed yet";
      },
    });
    const adminPort = await listening(config, "admin", (host, wanted) => listen(admin, host, wanted));
    // Closed last: until then it says why the service is not ready.
    undo.addLast(() => closeServer(admin));
    const watched = await followFiles(config, { app, clock, log, reloadAccess: () => authentication.reload() });
    undo.add(() => watched.close());
    const uri = uriOf(tls === undefined ? "http" : "https", config["listen.host"], port);
    const adminUri = uriOf("http", config["admin.host"], adminPort);
    log.info("serving", { uri, adminUri, auth: config["auth.modes"].join(",") });
    const ready = applications.synced.then(() => log.info("the applications have been listed"));
    ready.catch(() => undefined);
    const stop = async (): Promise<void> => {
      stopping.abort();
      await undo.run();
    };
    return { uri, adminUri, ready, stop };
  } catch (error) {
    await undo.run();
    throw error;
  }
}
