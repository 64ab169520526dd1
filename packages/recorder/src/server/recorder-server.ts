import { hostname } from "node:os";
import { createUndo } from "@kindling/controller";
import type { KubeClient } from "@kindling/kube";
import { type Outside, systemOutside } from "@kindling/outside";
import { jsonLog, type LogDestination } from "@kindling/service";
import { openArchive } from "../archive/open-archive.ts";
import { leaseOf } from "../config/leader-keys.ts";
import type { RecorderConfig } from "../config/recorder-keys.ts";
import type { RecorderSettings } from "../recording/recorder.ts";
import { startRecorder } from "../start-recorder.ts";
import { serveArchive, type ServedArchive } from "./serve-archive.ts";

export interface RecorderServerOptions {
  /** The destination of log lines. */
  readonly log: LogDestination;
  /** A client of the cluster, with the recorder's own account; the caller closes it. */
  readonly client: KubeClient;
  readonly outside?: Outside;
}

/** A recorder whose archive can be read. */
export interface RecorderServer extends ServedArchive {
  /** How many runs are not stored yet. */
  readonly unstored: number;
  stop(): Promise<void>;
}

/**
 * Starts to record, and serves what is in the archive.
 *
 * @throws KindlingError if the configuration cannot be carried out
 * @throws ArchiveError if the index cannot be read
 */
export async function startRecorderServer(
  config: RecorderConfig,
  options: RecorderServerOptions,
): Promise<RecorderServer> {
  const { client, outside = systemOutside() } = options;
  const { clock, random } = outside;
  const log = jsonLog(options.log, clock, config["log.level"]);
  const archive = await openArchive(config, outside);
  const undo = createUndo();
  undo.add(() => archive.close());
  try {
    const recorder = await startRecorder({
      ...{ client, clock, random, log, archive, settings: settingsOf(config) },
      namespaces: config["cluster.namespaces"],
      lease: leaseOf(config),
      // A container that is started again in its pod has the same, so it need not wait for its own Lease.
      identity: `${hostname()}_${process.pid}`,
    });
    undo.add(() => recorder.stop());
    const served = await serveArchive(config, { client, outside, log, archive, recorder, undo });
    log.info("recording", { ...served, archive: archive.name, runs: recorder.history.size });
    return {
      ...served,
      get unstored() {
        return recorder.unstored;
      },
      stop: () => undo.run(),
    };
  } catch (error) {
    await undo.run();
    throw error;
  }
}

function settingsOf(config: RecorderConfig): RecorderSettings {
  return {
    spoolFolder: config["spool.path"],
    spoolBytes: config["spool.size"],
    handOver: config["spool.handOver"],
    partBytes: config["logs.partSize"],
    mostParts: config["logs.parts"],
    tailMs: config["logs.tailInterval"] * 1000,
    tailsPerSecond: config["logs.tailsPerSecond"],
    readAtOnce: config["logs.readsAtOnce"],
    teamLabel: config["metrics.teamLabel"],
    mostTeams: config["metrics.teams"],
  };
}
