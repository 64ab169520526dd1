import { createUndo, type LeaseSettings, startCache, startManager, type Term } from "@kindling/controller";
import { type KubeClient, resources } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { AskedPod, PodEnd } from "@kindling/recorder-client";
import type { Log } from "@kindling/service";
import type { Archive } from "./archive/archive.ts";
import { checkedArchive } from "./archive/checked-archive.ts";
import { fencedArchive } from "./archive/fenced-archive.ts";
import { type NodeKind, nodeKind } from "./cluster/node-kinds.ts";
import { rememberedKinds } from "./cluster/remembered-kinds.ts";
import { UsageMeter } from "./metering/usage-meter.ts";
import { SPARK_PODS, type SparkPod, sparkPod } from "./cluster/spark-pod.ts";
import { holdFolder } from "./handover/folder-holder.ts";
import { standBy } from "./handover/stand-by.ts";
import type { EventLogTargets } from "./recording/event-log-target.ts";
import type { LogsInProgress } from "./recording/log-in-progress.ts";
import type { RecorderSettings } from "./recording/recorder.ts";
import { RecordingTerms } from "./recording-terms.ts";
import { History } from "./runs/history.ts";
import { RunIndex } from "./runs/run-index.ts";
import { prepareSpool } from "./spool/spool-folders.ts";

export interface StartRecorderOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly log: Log;
  readonly archive: Archive;
  readonly settings: RecorderSettings;
  /** Namespaces to record; empty: all. */
  readonly namespaces: readonly string[];
  /** Without one, this process always records. */
  readonly lease: LeaseSettings | undefined;
  /** Tells this process from all others. */
  readonly identity: string;
}

/** A recorder that has been started. */
export interface RunningRecorder {
  readonly history: History;
  readonly index: RunIndex;
  /** The archive, which changes only while this process records. */
  readonly archive: Archive;
  /** What runs reserve, for a monitoring system. */
  readonly meter: UsageMeter;
  /** Where the event log of a driver goes. */
  readonly eventLogOf: EventLogTargets;
  /** The folders of the archive that belong to runs that are not stored yet; `undefined` while this process does not record. */
  readonly foldersInUse: () => Promise<ReadonlySet<string> | undefined>;
  /** Logs of runs that are not stored yet. */
  readonly logInProgress: LogsInProgress;
  /** Waits until the end of an executor is recorded; `undefined` while this process does not record. */
  readonly podEnd: (pod: AskedPod, signal: AbortSignal) => Promise<PodEnd> | undefined;
  /** How many runs are not stored yet; 0 while another process records. */
  readonly unstored: number;
  /** Whether this process records, and may store and delete. */
  readonly isRecording: boolean;
  /** Whether the cluster has been listed, and this process records, if it need not wait for another one. */
  readonly isReady: boolean;
  stop(): Promise<void>;
}

/**
 * Reads the index of the archive, and records what happens in the cluster from now on.
 *
 * @throws ArchiveError if the index cannot be read
 * @throws KindlingError if the folder of this machine cannot be used
 */
export async function startRecorder(options: StartRecorderOptions): Promise<RunningRecorder> {
  const { client, clock, random, log, archive, settings, namespaces } = options;
  await prepareSpool(settings.spoolFolder);
  const history = new History();
  const onBadLines = (path: string, count: number): void =>
    log.warn("the index has lines that are no runs", { path, count });
  let current: Term | undefined;
  const own = checkedArchive(
    fencedArchive(archive, () => current?.isHeld() === true),
    { clock, random },
  );
  const index = new RunIndex({ archive: own, history, random, onBadLines });
  await index.load();
  const undo = createUndo();
  const { lease } = options;
  const stopping = new AbortController();
  const holding =
    lease === undefined
      ? undefined
      : holdFolder(settings.spoolFolder, options.identity, { clock, signal: stopping.signal });
  undo.add(async () => await (await holding)?.close());
  // A namespace that was deleted stays refused: this is said once.
  const onError = (error: Error, namespace: string | undefined, isRefusedAgain: boolean): void => {
    if (!isRefusedAgain) log.warn("the cluster cannot be watched", { namespace, error: error.message });
  };
  const pods = startCache(client, resources.pods, {
    ...{
      clock,
      random,
      namespaces,
      onError,
      labelSelector: SPARK_PODS,
      keep: sparkPod,
      identityOf: (pod: SparkPod) => pod,
    },
  });
  undo.add(() => pods.stop());
  const nodes = startCache(client, resources.nodes, {
    ...{ clock, random, onError, keep: nodeKind, identityOf: (node: NodeKind) => node, isOptional: true },
  });
  undo.add(() => nodes.stop());
  const kindOf = rememberedKinds(nodes);
  const { spoolFolder: folder, teamLabel, mostTeams } = settings;
  const meter = new UsageMeter({ clock, log, kindOf, folder, teamLabel, mostTeams });
  const terms = new RecordingTerms({ ...options, archive: own, index, history, pods, meter, kindOf });
  const begin = (term: Term): void => {
    current = term;
    terms.begin(term);
  };
  const synced = Promise.all([holding, pods.synced, nodes.synced]).then(([holder]) => {
    const identity = holder?.identity ?? options.identity;
    const manager = startManager({ client, clock, random, log, lease, identity, begin });
    undo.add(() => manager.stop());
  });
  if (lease !== undefined)
    void standBy({ clock, log, index, isRecording: () => terms.recorder !== undefined }, stopping.signal);
  undo.add(() => stopping.abort());
  // It ends before that if it is stopped.
  synced.catch(() => undefined);
  return {
    history,
    index,
    archive: own,
    meter,
    eventLogOf: async (uid) => await terms.recorder?.eventLogOf(uid),
    foldersInUse: async () => await terms.recorder?.foldersInUse(),
    logInProgress: async (uid, name) => await terms.recorder?.logInProgress(uid, name),
    podEnd: (pod, signal) => terms.recorder?.podEnd(pod, signal),
    get unstored() {
      return terms.recorder?.size ?? 0;
    },
    get isRecording() {
      return terms.recorder !== undefined;
    },
    get isReady() {
      return pods.isSynced && nodes.isSynced && (lease !== undefined || terms.recorder !== undefined);
    },
    stop: () => undo.run(),
  };
}
