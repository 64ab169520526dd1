import { createRequire } from "node:module";
import { messageOf } from "@kindling/core-spec";
import type { DevCluster } from "@kindling/devcluster";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { loadConfig, type RecorderServer, startRecorderServer } from "@kindling/recorder/server";
import type { Retention } from "../args/cluster-options.ts";
import type { HistoryStatus } from "../control/instance-status.ts";
import { writePrivate } from "../state/state-files.ts";
import type { StatePaths } from "../state/state-paths.ts";
import { endApplications } from "./end-applications.ts";
import { publishRecorder, RECORDER_HOSTS } from "./recorder-objects.ts";

const require = createRequire(import.meta.url);

const HOST = "127.0.0.1";

export interface DevRecorderOptions extends Pick<Outside, "clock" | "random"> {
  readonly cluster: Pick<DevCluster, "serverCertificate">;
  /** The administrator's client. */
  readonly client: KubeClient;
  readonly paths: StatePaths;
  readonly log: { write(line: string): void };
  readonly retention: Retention;
}

/** The recorder of an instance, if it could be started. */
export interface DevRecorder {
  readonly status: HistoryStatus;
  /** Ends the applications that still run, so that their ends are kept, and then the recorder. */
  stop(): Promise<void>;
}

/**
 * Starts a recorder whose archive is a folder of the state folder. Applications run without one as well: if it cannot be
 * started, the status says why, and no submission asks for it.
 */
export async function startDevRecorder(options: DevRecorderOptions): Promise<DevRecorder> {
  const { client, paths, log, clock } = options;
  let server: RecorderServer | undefined;
  try {
    server = await startServer(options);
    const { version } = require("@kindling/recorder/package.json") as { readonly version: string };
    await publishRecorder(client, { host: HOST, port: Number(new URL(server.uri).port), version });
  } catch (error) {
    const fault = messageOf(error);
    log.write(`nothing is kept of applications: ${fault}\n`);
    await server?.stop();
    return { status: { fault }, stop: () => Promise.resolve() };
  }
  const started = server;
  return {
    status: { archive: paths.archive },
    async stop() {
      await endApplications({ client, clock, recorder: started }).catch((error: unknown) =>
        log.write(`the next start goes on with what is kept: ${messageOf(error)}\n`),
      );
      await started.stop();
    },
  };
}

async function startServer(options: DevRecorderOptions): Promise<RecorderServer> {
  const { cluster, client, paths, log, retention, clock, random } = options;
  const { certificate, key } = cluster.serverCertificate("kindling-recorder", RECORDER_HOSTS);
  await Promise.all([writePrivate(paths.recorderCertificate, certificate), writePrivate(paths.recorderKey, key)]);
  const settings = {
    "listen-host": HOST,
    "listen-port": "0",
    "admin-host": HOST,
    "admin-port": "0",
    "tls-cert-file": paths.recorderCertificate,
    "tls-key-file": paths.recorderKey,
    "auth-mode": "kubernetes",
    "store-path": paths.archive,
    "spool-path": paths.spool,
    // Few executors run here, and each may end with this process.
    "logs-tail-interval": "2s",
    "event-logs-size": "1g",
    "retention-age": retention.age,
    "retention-size": retention.size,
    "retention-interval": "10min",
    "log-level": "warn",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  // Settings in the user's environment are for another recorder.
  const outside = { clock, random, env: {}, cwd: paths.folder };
  return await startRecorderServer(loadConfig({ args, env: {}, readFile: () => "" }), { client, log, outside });
}
