import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { type PodLife, type Run, RUN_STATES } from "@kindling/recorder-client";
import type { Log } from "@kindling/service";
import type { KindOfNode } from "../cluster/pod-life-of.ts";
import { hasEnded, type SparkPod } from "../cluster/spark-pod.ts";
import { readUsage, writeUsage } from "./kept-usage.ts";
import { type MeteredPod, runningPod, stoppedPod } from "./metered-pod.ts";
import { BoundedLabels, type UsageLabels } from "./usage-labels.ts";
import { type UsageRow, UsageTotals } from "./usage-totals.ts";

export interface UsageMeterOptions {
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly log: Pick<Log, "warn">;
  readonly kindOf: KindOfNode;
  /** A folder of this machine. */
  readonly folder: string;
  /** The label of driver pods that says whose they are. */
  readonly teamLabel: string;
  /** How many values of it are told apart. */
  readonly mostTeams: number;
}

/** A run, as far as it matters here. Its driver says in whose name all its pods work. */
export interface UsingRun {
  readonly place: { readonly namespace: string; readonly uid: string };
  readonly driver: SparkPod;
  readonly secrets: { cleanEntries(entries: Readonly<Record<string, string>>): Record<string, string> };
}

/** For monitoring systems: counters that begin with 0 in each process. */
export interface ShownUsage {
  /** Core seconds and byte seconds, by namespace, queue, team, and whether the nodes are spot nodes. */
  readonly usage: readonly UsageRow[];
  /** How many runs ended, by namespace, queue, team and state. */
  readonly ended: readonly UsageRow[];
}

/** Folders of so many runs may be left when a process is killed. */
const MOST_COUNTED = 1_000;

interface Metered {
  labels: UsageLabels;
  readonly pods: Map<string, MeteredPod>;
  /** Pods whose lives are counted, by uid. */
  readonly ended: Set<string>;
}

/** Counts what runs reserve while they run, and corrects it by the lives of their pods when these have ended. */
export class UsageMeter {
  readonly #options: UsageMeterOptions;
  readonly #bounds: BoundedLabels;
  readonly #usage: UsageTotals;
  readonly #ended: UsageTotals;
  /** By the uid of the driver. */
  readonly #runs = new Map<string, Metered>();
  #from: number;
  /** Runs that are counted, and whose folders may still be there. */
  #counted = new Set<string>();
  #saving: Promise<void> = Promise.resolve();

  constructor(options: UsageMeterOptions) {
    const { clock, mostTeams } = options;
    this.#options = options;
    this.#bounds = new BoundedLabels(mostTeams);
    this.#usage = new UsageTotals(() => clock.monotonic());
    this.#ended = new UsageTotals(() => clock.monotonic());
    this.#from = clock.now();
  }

  /**
   * Begins to count.
   *
   * @param from what the process with this folder has counted before is not counted again; with `now`, another one has counted
   * until now
   */
  async begin(from: "where it ended" | "now"): Promise<void> {
    const kept = await readUsage(this.#options.folder);
    const now = this.#options.clock.now();
    // A clock that was set back must not stop everything until that time.
    this.#from = from === "now" ? now : Math.min(kept?.until ?? now, now);
    this.#counted = new Set(kept?.counted);
    for (const { labels, amounts } of kept?.usage ?? [])
      this.#usage.add({ ...labels, ...this.#bound(labels) }, amounts);
    for (const { labels, amounts } of kept?.ended ?? [])
      this.#ended.add({ ...labels, ...this.#bound(labels) }, amounts);
    await this.#save();
  }

  /** A pod of a run is there, or has changed. */
  seen(run: UsingRun, pod: SparkPod): void {
    if (this.#counted.has(run.place.uid)) return;
    const metered = this.#metered(run);
    if (metered.ended.has(pod.uid)) return;
    const known = metered.pods.get(pod.uid);
    const { clock, kindOf } = this.#options;
    const running = runningPod(pod, { clock, kindOf, from: this.#from });
    if (known === undefined || known.elapsed() === 0) metered.pods.set(pod.uid, running);
    else if (hasEnded(pod)) metered.pods.set(pod.uid, { ...running, counted: known.counted });
    // The kind of a new node may be known a moment later than its first pod.
    else if (known.spot !== running.spot) metered.pods.set(pod.uid, { ...known, spot: running.spot });
  }

  /** A pod is gone. Its life follows, when its log is read. */
  gone(run: UsingRun, pod: SparkPod): void {
    if (this.#counted.has(run.place.uid)) return;
    const { pods } = this.#metered(run);
    const known = pods.get(pod.uid);
    if (known !== undefined) pods.set(pod.uid, stoppedPod(known));
  }

  /** The life of a pod of a run is recorded. */
  recorded(run: UsingRun, life: PodLife): void {
    if (this.#counted.has(run.place.uid)) return;
    const { uid, started, ended, cores, memory, spot } = life;
    const metered = this.#metered(run);
    if (metered.ended.has(uid)) return;
    const known = metered.pods.get(uid);
    metered.pods.delete(uid);
    metered.ended.add(uid);
    const elapsed = started === undefined ? 0 : Math.max(0, ended - Math.max(started, this.#from));
    this.#count(metered.labels, { cores, memory, spot }, elapsed - (known?.counted ?? 0));
  }

  /** A run is in the archive. When this resolves, its folder may go. */
  async stored(run: UsingRun, { state }: Pick<Run, "state">): Promise<void> {
    const { uid } = run.place;
    if (this.#counted.has(uid)) return;
    const { labels } = this.#metered(run);
    this.#ended.add({ ...labels, state }, [1]);
    this.#counted.add(uid);
    this.#runs.delete(uid);
    await this.#save();
  }

  /** The folder of a run is gone: it cannot be counted again. */
  removed(uid: string): void {
    this.#counted.delete(uid);
  }

  /** This process records no longer. The next one counts the pods that go on. */
  async end(): Promise<void> {
    for (const { labels, pods } of this.#runs.values())
      for (const pod of pods.values()) this.#count(labels, pod, pod.elapsed() - pod.counted);
    this.#runs.clear();
    this.#from = this.#options.clock.now();
    await this.#save();
    // The next process tells the rest. It may be this one.
    this.#usage.settle();
    this.#ended.settle();
  }

  /** What a monitoring system is told now. The next process knows that it was told. */
  show(): { readonly shown: ShownUsage; readonly kept: Promise<void> } {
    const shown = { usage: this.#usage.show(this.#open()), ended: this.#ended.show([]) };
    return { shown, kept: this.#save() };
  }

  #metered(run: UsingRun): Metered {
    const labels = this.#labelsOf(run);
    const known = this.#runs.get(run.place.uid);
    if (known === undefined) {
      const metered = { labels, pods: new Map<string, MeteredPod>(), ended: new Set<string>() };
      this.#runs.set(run.place.uid, metered);
      this.#announce(labels);
      return metered;
    }
    if (isSame(known.labels, labels)) return known;
    // What was used until now was used under the labels of then.
    for (const [uid, pod] of known.pods) {
      const elapsed = pod.elapsed();
      this.#count(known.labels, pod, elapsed - pod.counted);
      known.pods.set(uid, { ...pod, counted: elapsed });
    }
    known.labels = labels;
    this.#announce(labels);
    return known;
  }

  /** Monitoring systems should know the counters of ended runs before the first run ends. */
  #announce(labels: UsageLabels): void {
    for (const state of RUN_STATES) this.#ended.add({ ...labels, state }, [0]);
  }

  #labelsOf({ place: { namespace }, driver, secrets }: UsingRun): UsageLabels {
    const { teamLabel } = this.#options;
    const { [teamLabel]: team = "" } = secrets.cleanEntries({ [teamLabel]: driver.labels[teamLabel] ?? "" });
    return this.#bound({ namespace, queue: driver.queue ?? "", team });
  }

  #bound(labels: UsageLabels): UsageLabels {
    return this.#bounds.bounded(labels);
  }

  #count(labels: UsageLabels, pod: Pick<MeteredPod, "cores" | "memory" | "spot">, milliseconds: number): void {
    const { labels: all, amounts } = rowOf(labels, pod, milliseconds);
    this.#usage.add(all, amounts);
  }

  /** What goes on, and is not counted yet. */
  #open(): readonly UsageRow[] {
    return [...this.#runs.values()].flatMap(({ labels, pods }) =>
      Array.from(pods.values(), (pod) => rowOf(labels, pod, pod.elapsed() - pod.counted)),
    );
  }

  #save(): Promise<void> {
    const { folder, clock, log } = this.#options;
    const saving = this.#saving.then(async () => {
      const open = this.#open();
      await writeUsage(folder, {
        until: clock.now(),
        usage: this.#usage.owed(open),
        ended: this.#ended.owed([]),
        counted: [...this.#counted].slice(-MOST_COUNTED),
      });
    });
    this.#saving = saving.catch((error: unknown) => {
      log.warn("what was counted cannot be written to the disk", { folder, error: messageOf(error) });
    });
    return this.#saving;
  }
}

function rowOf(
  labels: UsageLabels,
  { cores, memory, spot }: Pick<MeteredPod, "cores" | "memory" | "spot">,
  milliseconds: number,
): UsageRow {
  const seconds = milliseconds / 1000;
  return { labels: { ...labels, spot: String(spot) }, amounts: [cores * seconds, memory * seconds] };
}

function isSame(one: UsageLabels, other: UsageLabels): boolean {
  return one.namespace === other.namespace && one.queue === other.queue && one.team === other.team;
}
