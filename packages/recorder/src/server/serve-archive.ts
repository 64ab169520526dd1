import type { Server as TlsServer } from "node:tls";
import type { Undo } from "@kindling/controller";
import { messageOf } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import {
  accessReviews,
  adminServer,
  closeServer,
  followCertificate,
  listen,
  listening,
  type Log,
  readCertificate,
  uriOf,
} from "@kindling/service";
import type { Archive } from "../archive/archive.ts";
import { patientArchive } from "../archive/patient-archive.ts";
import type { RecorderConfig } from "../config/recorder-keys.ts";
import { limitsOf } from "../config/retention-rules.ts";
import { createApp, tlsOptions } from "../http/app.ts";
import { driverPods, NO_PODS } from "../http/driver-pods.ts";
import { clusterReaders, OPEN_TO_ALL } from "../http/readers.ts";
import { handleRefusals } from "../http/refusals.ts";
import { serveRoutes } from "../routes/serve-routes.ts";
import { streams as streamsOf } from "../routes/streams.ts";
import type { RunningRecorder } from "../start-recorder.ts";
import { Metrics } from "./metrics.ts";
import { deleteExpiredForever } from "./retention-loop.ts";

export interface ServeArchiveOptions {
  readonly client: KubeClient;
  readonly outside: Outside;
  readonly log: Log;
  readonly archive: Archive;
  readonly recorder: RunningRecorder;
  /** Takes what must be undone at the end. */
  readonly undo: Undo;
}

/** Clients and proxies give up after a minute. */
const READERS_WAIT_MS = 20_000;

/** Base URIs for requests from this machine: of the API, and of health checks and metrics. */
export interface ServedArchive {
  readonly uri: string;
  readonly adminUri: string;
}

/**
 * Serves what is in the archive, and deletes what is kept no longer.
 *
 * @throws KindlingError if the configuration cannot be carried out
 */
export async function serveArchive(config: RecorderConfig, options: ServeArchiveOptions): Promise<ServedArchive> {
  const { client, outside, log, archive, recorder, undo } = options;
  const { clock, random } = outside;
  const tls = await readCertificate(config);
  const { history } = recorder;
  const streams = streamsOf(config["limits.streams"]);
  const metrics = new Metrics({
    runs: () => history.size,
    unstored: () => recorder.unstored,
    streams: () => streams.open,
    usage: recorder.meter,
  });
  const onCut = (reason: string): void => metrics.connectionsCut.inc({ reason });
  const app = createApp({ config, tls, requestId: () => random.uuid(), clock, onCut });
  handleRefusals(app, log);
  const isLocalOnly = config["auth.mode"] !== "kubernetes";
  const asking = { reviews: accessReviews(client), clock, config };
  serveRoutes(app, {
    ...{
      context: {
        archive: patientArchive(archive, clock, READERS_WAIT_MS),
        history,
        logInProgress: recorder.logInProgress,
      },
      streams,
      isLocalOnly,
    },
    readers: isLocalOnly ? OPEN_TO_ALL : clusterReaders(asking),
    pods: isLocalOnly ? NO_PODS : driverPods(asking),
    eventLogs: { targets: recorder.eventLogOf, most: config["eventLogs.size"] },
    podEnds: { clock, podEnd: recorder.podEnd },
    onAnswer: (route, status, seconds) => metrics.requests.observe({ route, status: String(status) }, seconds),
  });
  await app.ready();
  undo.add(async () => {
    // Fastify closes only what it has made listen itself.
    await closeServer(app.server);
    await app.close();
  });
  const port = await listening(config, "listen", (host, wanted) => listen(app.server, host, wanted));
  deleteWhatExpires(config, options, (count) => metrics.expired.inc(count));
  const admin = adminServer({
    clock,
    registry: metrics.registry,
    notReady: () => (recorder.isReady ? undefined : "the cluster has not been listed yet"),
  });
  const adminPort = await listening(config, "admin", (host, wanted) => listen(admin, host, wanted));
  // Closed last: until then it says how the recorder is.
  undo.addLast(() => closeServer(admin));
  const watched = await followCertificate(config, {
    clock,
    intervalSeconds: config["tls.reloadInterval"],
    onRenewed(renewed) {
      if (renewed !== undefined) (app.server as unknown as TlsServer).setSecureContext(tlsOptions(renewed));
    },
    onFault: (error) => log.error("a changed certificate cannot be used", { error: messageOf(error) }),
  });
  undo.add(() => watched.close());
  return {
    uri: uriOf(tls === undefined ? "http" : "https", config["listen.host"], port),
    adminUri: uriOf("http", config["admin.host"], adminPort),
  };
}

function deleteWhatExpires(
  config: RecorderConfig,
  { recorder, outside, log, undo }: ServeArchiveOptions,
  onDeleted: (count: number) => void,
): void {
  const { archive, history, index, foldersInUse } = recorder;
  const limits = limitsOf(config["retention.age"], config["retention.size"]);
  const stopping = new AbortController();
  const deleting = deleteExpiredForever(
    {
      ...{ archive, history, index, foldersInUse, log, onDeleted, clock: outside.clock },
      limitsOf: (namespace) => config["retention.namespaces"].get(namespace) ?? limits,
      intervalMs: config["retention.interval"] * 1000,
      mayDelete: () => recorder.isRecording,
    },
    stopping.signal,
  );
  undo.add(async () => {
    stopping.abort();
    await deleting;
  });
}
