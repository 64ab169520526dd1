import { type CommandContext, type CommandLine, printNotice } from "@kindling/command-line";
import { KindlingError, parseBytes, type SparkConf } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Run, RunRecord } from "@kindling/recorder-client";
import {
  EVENT_LOG_AUDIENCE,
  EVENT_LOG_CA_MAP,
  EVENT_LOG_URI,
  EVENT_LOG_USER,
  LOCALIZER_IMAGE,
  LOCALIZER_IMAGE_PULL_POLICY,
} from "@kindling/steps";
import { noApplication, RECORDER_SERVICE_ACCOUNT } from "@kindling/submit";
import { findRun, type WantedRun } from "../archive/find-run.ts";
import { archiveIfThere } from "../archive/open-archive.ts";
import { reachOf } from "../reach-options.ts";
import { downloadEventLog } from "./download-event-log.ts";
import type { ForwardedPortOptions } from "./forward-port.ts";
import { HISTORY_PORT, type HistoryServerOptions, IDLE_SECONDS } from "./history-server-job.ts";
import { show } from "./show-ui.ts";
import { startHistoryServer } from "./start-history-server.ts";

const HEAP = "1g";
const LEAST_MEBIBYTES = 256;
const PULL_SECRETS = "spark.kubernetes.container.image.pullSecrets";

export interface OpenHistoryServerOptions {
  readonly line: CommandLine;
  readonly run: WantedRun;
  readonly own: ForwardedPortOptions["own"];
  readonly context: CommandContext;
}

/**
 * Shows the web UI of a run that has ended: Spark's own history server, in a pod with the application's image, over the event log
 * that the recorder keeps.
 *
 * @throws KindlingError, RecorderError, KubeError
 */
export async function openHistoryServer(client: KubeClient, options: OpenHistoryServerOptions): Promise<void> {
  const { line, run: wanted, own, context } = options;
  const { output, signal } = context;
  const heap = heapOf(line);
  const archive = await archiveIfThere(reachOf(line), context, client);
  if (archive === undefined) throw noApplication(client, wanted);
  try {
    const run = await findRun(archive, wanted);
    if (run.eventLog === undefined) throw noEventLog(run);
    const folder = line.value("download");
    if (folder !== undefined) {
      output.out(`${await downloadEventLog(archive.recorder, run.uid, { folder, signal })}\n`);
      return;
    }
    const { namespace } = run;
    const record = await archive.recorder.record(run.uid);
    const pod = await startHistoryServer(client, { namespace, ...jobOf(record, archive.conf, heap) }, context);
    printNotice(`Spark's history server runs in pod ${pod}, and ends after ${IDLE_SECONDS / 60} idle minutes`, output);
    await show({ client, namespace, pod, port: HISTORY_PORT, own, path: `/history/${run.id}/jobs/` }, context);
  } finally {
    archive.close();
  }
}

function jobOf(
  { run, image, configuration = {} }: RunRecord,
  conf: SparkConf,
  heapMebibytes: number,
): HistoryServerOptions {
  const [recorder, localizerImage, user] = [
    conf.get(EVENT_LOG_URI),
    conf.get(LOCALIZER_IMAGE),
    conf.get(EVENT_LOG_USER),
  ];
  if (image === undefined || recorder === undefined || localizerImage === undefined) {
    const missing = image === undefined ? "the image of its driver is not known" : `${EVENT_LOG_URI.key} is not set`;
    throw new KindlingError("CONF_MISSING", `no history server can be started: ${missing}`, {
      hint: `kindling ui --download FOLDER ${run.driver} brings its event log, for a history server of your own`,
    });
  }
  return {
    ...{ name: `kindling-ui-${run.uid}`, uid: run.uid, image, localizerImage, recorder, heapMebibytes },
    pullPolicy: conf.get(LOCALIZER_IMAGE_PULL_POLICY),
    audience: conf.get(EVENT_LOG_AUDIENCE),
    caConfigMap: conf.get(EVENT_LOG_CA_MAP),
    serviceAccount: conf.get(RECORDER_SERVICE_ACCOUNT),
    user: user === "none" ? undefined : Number(user),
    pullSecrets: (configuration[PULL_SECRETS] ?? "").split(",").flatMap((name) => name.trim() || []),
  };
}

function heapOf(line: CommandLine): number {
  const text = line.value("memory") ?? HEAP;
  const mebibytes = Number(parseBytes(text, "m") ?? 0);
  if (mebibytes >= LEAST_MEBIBYTES) return mebibytes;
  throw new KindlingError("ARGUMENT_INVALID", `--memory ${text}: must be a size of at least ${LEAST_MEBIBYTES}m`);
}

function noEventLog({ namespace, driver }: Run): KindlingError {
  return new KindlingError("OBJECT_NOT_FOUND", `no event log is kept of ${namespace}:${driver}`, {
    hint: "spark.kindling.eventLog=record keeps those of later runs; the chart can set it for all applications",
  });
}
