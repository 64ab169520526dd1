import type { Server as TlsServer, TlsOptions } from "node:tls";
import { createUndo } from "@kindling/controller";
import { messageOf, type Step } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { type Outside, sleep, systemOutside } from "@kindling/outside";
import {
  accessReviews,
  adminServer,
  closeServer,
  jsonLog,
  listen,
  listening,
  type LogDestination,
  followCertificate,
  readCertificate,
  tcpQueues,
  uriOf,
  watchReaders,
} from "@kindling/service";
import type { FastifyInstance } from "fastify";
import { type Applications, watchApplications } from "../applications/applications.ts";
import { authenticateBy } from "../auth/configured.ts";
import type { ServeConfig } from "../config/serve-config.ts";
import { ChangeLog } from "../applications/change-log.ts";
import { createApp, tlsOptions } from "../http/app.ts";
import { serveMetrics } from "../metrics/metrics.ts";
import { serveRoutes } from "../routes/serve-routes.ts";
import { Gate } from "../submissions/gate.ts";
import { Submissions } from "../submissions/submissions.ts";

export interface SubmissionServerOptions {
  /** Where log lines go. */
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
  const { clock, random } = outside;
  const log = jsonLog(options.log, clock, config["log.level"]);
  const authentication = await authenticateBy(config, clock, accessReviews(client));
  const tls = await readCertificate(config);
  const changes = new ChangeLog(config["limits.eventsKept"]);
  const gates = gatesOf(config);
  const stopping = new AbortController();
  const metrics = serveMetrics(() => ({
    applications: phasesOf(applications),
    underWay: gates.submissions.inside,
    streams: gates.streams.inside,
    isCurrent: applications.isCurrent,
  }));
  const namespaces = config["cluster.namespaces"];
  const applications = watchApplications({
    ...{ client, namespaces, changes, clock, random },
    onError: (error, namespace) => log.warn("the watch of applications", { namespace, error: error.message }),
  });
  const undo = createUndo();
  undo.add(() => applications.stop());
  try {
    const onCut = (reason: string): void => metrics.connectionsCut.inc({ reason });
    const { app, connections } = createApp({ config, tls, requestId: () => random.uuid(), clock, onCut });
    const submissions = new Submissions({
      ...{ client, defaults, namespaces, steps, outside },
      deniedKeys: config["submit.deniedKeys"],
    });
    await serveRoutes(
      app,
      {
        ...{ client, outside, log, metrics, submissions, applications, gates, connections },
        authenticator: authentication.authenticator,
        events: { applications, changes, run: random.uuid().slice(0, 8), clock },
        stopping: stopping.signal,
      },
      { isLocalOnly: config["auth.modes"].includes("none") },
    );
    const port = await listening(config, "listen", (host, wanted) => listen(app.server, host, wanted));
    const readers = watchReaders({
      connections: () => connections.all(),
      clock,
      stallSeconds: config["limits.writeStall"],
      queues: () => tcpQueues(port),
      onCut: () => onCut("stalled"),
    });
    undo.add(() => readers.close());
    undo.add(() => stopGracefully(app, gates.submissions, config["shutdown.grace"] * 1000));
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
    const watched = await followCertificate(config, {
      clock,
      intervalSeconds: config["tls.reloadInterval"],
      access: { file: config["auth.accessFile"], reload: () => authentication.reload() },
      onRenewed(renewed) {
        if (renewed !== undefined) renew(app, tlsOptions(renewed));
        log.info("certificates and access file read again");
      },
      onFault: (error) => log.error("changed files cannot be used", { error: messageOf(error) }),
    });
    undo.add(() => watched.close());
    const uri = uriOf(tls === undefined ? "http" : "https", config["listen.host"], port);
    const adminUri = uriOf("http", config["admin.host"], adminPort);
    log.info("serving", { uri, adminUri, auth: config["auth.modes"].join(",") });
    const ready = applications.synced.then(() => log.info("the applications have been listed"));
    ready.catch(() => undefined);
    return {
      uri,
      adminUri,
      ready,
      async stop() {
        stopping.abort();
        await undo.run();
      },
    };
  } catch (error) {
    await undo.run();
    throw error;
  }

  async function stopGracefully(app: FastifyInstance, under: Gate, graceMs: number): Promise<void> {
    const { server } = app;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const end = clock.monotonic() + graceMs;
    while (under.inside > 0 && clock.monotonic() < end) {
      server.closeIdleConnections();
      await sleep(clock, IDLE_LOOK_MS);
    }
    if (under.inside > 0) log.warn("cutting off submissions", { submissions: under.inside });
    // Answers that were just created are still being sent.
    server.closeIdleConnections();
    await Promise.race([closed, sleep(clock, IDLE_LOOK_MS)]);
    server.closeAllConnections();
    await closed;
    await app.close();
  }
}

const IDLE_LOOK_MS = 100;

function gatesOf(config: ServeConfig): Record<"submissions" | "reports" | "streams", Gate> {
  const reports = config["limits.reports"];
  return {
    submissions: new Gate({
      most: config["limits.submissions"],
      mostPerSubject: config["limits.submissionsPerSubject"],
      what: "submissions",
    }),
    // Half of them for one client, so that others also get some.
    reports: new Gate({ most: reports, mostPerSubject: Math.ceil(reports / 2), what: "reports" }),
    streams: new Gate({
      most: config["limits.streams"],
      mostPerSubject: config["limits.streamsPerSubject"],
      what: "streams",
    }),
  };
}

function phasesOf(applications: Applications): ReadonlyMap<string, number> {
  const phases = new Map<string, number>();
  for (const { phase } of applications.all()) phases.set(phase, (phases.get(phase) ?? 0) + 1);
  return phases;
}

function renew(app: FastifyInstance, options: TlsOptions): void {
  (app.server as unknown as TlsServer).setSecureContext(options);
}
