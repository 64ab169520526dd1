import type { KubeObject } from "@kindling/kube-objects";
import type { Term } from "@kindling/controller";
import { SPARK_EXECUTOR_ID_LABEL } from "@kindling/core-spec";
import { within } from "@kindling/outside";
import type { Application } from "../../views/applications/application.ts";
import { executorContainer } from "../../spark/executor-container.ts";
import { isExecutor, isOfSet, podSubject } from "../../spark/spark-pod.ts";
import type { Collecting } from "../../healing/collection-watch.ts";
import { type ExecutorSize, executorSize } from "../../healing/executor-size.ts";
import { causeOf, hasStopped, isCertain, type MemoryCause, type SeenEnd, seenEnd } from "../../healing/memory-end.ts";
import { DEFAULT_PROFILE, profileOf, type ProfileRecord } from "../../healing/memory-record.ts";
import { memoryWish } from "../../healing/memory-wish.ts";
import { type EndedPod, noRemedyWords } from "../../healing/memory-words.ts";
import {
  type ApplicationMemory,
  grown,
  knownMemory,
  noteBeginning,
  shownAs,
  type Verdict,
  verdictOf,
} from "./application-memory.ts";
import { decideGrowth, type MemoryDecision } from "./decide-growth.ts";
import { ExecutorMetricsReader } from "./executor-metrics-reader.ts";
import { logTail } from "./log-tail.ts";
import type { MemoryHealingOptions } from "./memory-healing-options.ts";
import { RecordWriter } from "./record-writer.ts";
import { removeExecutor } from "./remove-executor.ts";
import { RunRecorder } from "./run-recorder.ts";

/** All executors of an application may end at the same time: so many logs are read at once. */
const MOST_READ = 8;
/** The verdicts about older executors are forgotten: their pods are gone. */
const MOST_VERDICTS = 1_000;
/** An executor is admitted at the latest after this time, even if the log of another one could not be read. */
const PATIENCE_MS = 5_000;
/** A JVM that collects without end hardly reacts to a signal. */
const COLLECTING_GRACE_SECONDS = 5;

/**
 * Gives more memory to the successors of executors that ended for lack of it, in applications with `spark.kindling.memory=heal`.
 * The driver asks for a successor as it always does, and the gateway makes it larger. Everything that is known is recorded on
 * the driver's pod, and on the executors.
 */
export class MemoryHealing {
  readonly #term: Term;
  readonly #options: MemoryHealingOptions;
  readonly #writer: RecordWriter;
  readonly #recorder: RunRecorder;
  /** By the uid of the driver; `undefined` for applications that do not want it. */
  readonly #memories = new Map<string, ApplicationMemory | undefined>();
  readonly #reading = new Map<string, Set<Promise<void>>>();

  constructor(term: Term, options: MemoryHealingOptions) {
    this.#term = term;
    this.#options = options;
    this.#writer = new RecordWriter(term, options);
    const { clock, log, pod } = options;
    this.#recorder = new RunRecorder(term, {
      ...{ clock, log, pod },
      peaks: new ExecutorMetricsReader(term, clock, (application, one) => this.#endCollecting(application, one)),
      tell: ({ driver }, message) =>
        options.events.tell(podSubject(driver), {
          type: "Normal",
          reason: "MemoryLearned",
          name: "memory-learned",
          message,
        }),
    });
    options.applications.subscribe({
      ended: (application) => {
        const { driverUid } = application;
        const memory = this.#memories.get(driverUid);
        if (memory !== undefined) this.#recorder.ended(application, memory);
        this.#memories.delete(driverUid);
        this.#reading.delete(driverUid);
      },
    });
  }

  /** An executor as its driver asks for it, with the memory that it gets. */
  sized(application: Application, pod: KubeObject): KubeObject {
    const memory = this.#of(application);
    if (memory === undefined) return pod;
    const begun = this.#recorder.begun(application, pod);
    // The next driver has to know it, if this one fails for the memory of its executors.
    if (begun !== pod && noteBeginning(begun, memory)) this.#writer.write(application, memory.profiles);
    return grown(begun, memory);
  }

  /**
   * Resolves when it is known what earlier runs needed, and why executors of the application have ended, so that the next ones
   * get the right size.
   */
  async settled(application: Application): Promise<void> {
    const memory = this.#of(application);
    if (memory === undefined) return;
    await this.#recorder.prepare(application, memory);
    const reading = this.#reading.get(application.driverUid);
    if (reading === undefined || reading.size === 0) return;
    await within(this.#options.clock, PATIENCE_MS, Promise.all(reading), () => undefined);
  }

  /** What the driver sees of a pod in the cluster; `undefined`: nothing new yet. */
  shown(application: Application, pod: KubeObject): KubeObject | undefined {
    const memory = isExecutor(pod) && !isOfSet(pod) ? this.#of(application) : undefined;
    if (memory === undefined) return pod;
    this.#recorder.counted(application);
    const verdict = memory.verdicts.get(pod.metadata.uid);
    if (verdict !== undefined) return shownAs(pod, verdict);
    return hasStopped(pod, executorContainer(pod)) ? shownAs(pod, this.#judge(application, memory, pod)) : pod;
  }

  #of(application: Application): ApplicationMemory | undefined {
    const { driver, driverUid } = application;
    if (this.#memories.has(driverUid)) return this.#memories.get(driverUid);
    const wish = this.#options.isFixed(driver) ? undefined : memoryWish(driver);
    const memory = wish && knownMemory(driver, this.#options.podsOf(application).filter(isExecutor), wish);
    this.#memories.set(driverUid, memory);
    return memory;
  }

  #judge(application: Application, memory: ApplicationMemory, pod: KubeObject): Verdict {
    const end = seenEnd(pod, executorContainer(pod));
    const size = executorSize(pod);
    if (end === undefined || size === undefined) return this.#settle(memory, pod, { kind: "as-is" });
    if (!end.asksLog) return this.#conclude(application, memory, pod, { end, size, cause: end.cause });
    const all = this.#reading.get(application.driverUid) ?? new Set();
    if (all.size >= MOST_READ) return this.#weigh(application, memory, pod, { end, size, lines: undefined });
    const reading = this.#read(application, memory, pod, { end, size });
    this.#reading.set(application.driverUid, all.add(reading));
    void reading.finally(() => all.delete(reading));
    return this.#settle(memory, pod, { kind: "pending" });
  }

  async #read(
    application: Application,
    memory: ApplicationMemory,
    pod: KubeObject,
    { end, size }: { readonly end: SeenEnd; readonly size: ExecutorSize },
  ): Promise<void> {
    const { name, namespace = "", uid } = pod.metadata;
    const lines = await logTail(this.#term.client, { namespace, pod: name, container: executorContainer(pod) });
    this.#weigh(application, memory, pod, { end, size, lines });
    const current = this.#options.pod(namespace, name);
    if (application.isOver || current?.metadata.uid !== uid) return;
    const shown = this.shown(application, current);
    if (shown !== undefined) application.pods.seen(shown);
  }

  /** @param lines the end of its log; `undefined` if it is not known */
  #weigh(
    application: Application,
    memory: ApplicationMemory,
    pod: KubeObject,
    {
      end,
      size,
      lines,
    }: { readonly end: SeenEnd; readonly size: ExecutorSize; readonly lines: readonly string[] | undefined },
  ): Verdict {
    const cause = causeOf(end, lines);
    if (cause !== undefined) return this.#conclude(application, memory, pod, { end, size, cause });
    if (!isCertain(end)) return this.#settle(memory, pod, { kind: "as-is" });
    return this.#settle(memory, pod, { kind: "failed", words: noRemedyWords(idOf(pod), end.exitCode) });
  }

  #conclude(
    application: Application,
    memory: ApplicationMemory,
    pod: KubeObject,
    { end, size, cause }: { readonly end: SeenEnd; readonly size: ExecutorSize; readonly cause: MemoryCause },
  ): Verdict {
    const { exitCode, isKilled } = end;
    const ended = { who: `executor ${idOf(pod)}`, next: "executors", cause, exitCode, isKilled, size };
    const decision = this.#decide(application, memory, pod, ended);
    this.#carryOut(application, memory, pod, { cause, decision });
    const verdict = verdictOf(decision);
    if (verdict.kind === "replaced" && !memory.wish.keepsEnded) this.#remove(pod);
    return this.#settle(memory, pod, verdict);
  }

  /** Java does little else than collect garbage, and would go on so for minutes: the executor is ended as one whose heap is full. */
  #endCollecting(application: Application, collecting: Collecting): void {
    const { id } = collecting;
    const memory = this.#of(application);
    const pods = this.#options.podsOf(application);
    const pod = pods.find((one) => isExecutor(one) && !isOfSet(one) && idOf(one) === id);
    const size = pod && executorSize(pod);
    if (memory === undefined || pod === undefined || size === undefined) return;
    const { uid, deletionTimestamp } = pod.metadata;
    if (memory.verdicts.has(uid) || deletionTimestamp !== undefined || hasStopped(pod, executorContainer(pod))) return;
    const seen = {
      cause: "heap",
      exitCode: undefined,
      isKilled: false,
      size,
      collecting,
    } as const;
    const found = this.#decide(application, memory, pod, { who: `executor ${id}`, next: "executors", ...seen });
    // It may still come to an end by itself, and nothing better can be given.
    if (found.kind === "exhausted") return;
    // Spark does not count it: the executor has not ended by itself.
    const counted = memory.profiles.get(profileOf(pod))?.counted ?? 0;
    const decision = { ...found, isCounted: false, record: { ...found.record, counted } };
    this.#carryOut(application, memory, pod, { cause: seen.cause, decision });
    // The driver sees it with the change that its deletion makes.
    this.#settle(memory, pod, { kind: "replaced" });
    this.#remove(pod, COLLECTING_GRACE_SECONDS);
  }

  #decide(application: Application, memory: ApplicationMemory, pod: KubeObject, ended: EndedPod): MemoryDecision {
    const profile = profileOf(pod);
    return decideGrowth(ended, memory.profiles.get(profile), {
      ...{ wish: memory.wish, profile, limits: this.#options.roomOf(application, pod) },
      asked: profile === DEFAULT_PROFILE ? this.#recorder.asked(application) : undefined,
    });
  }

  #carryOut(
    application: Application,
    memory: ApplicationMemory,
    pod: KubeObject,
    { cause, decision }: { readonly cause: MemoryCause; readonly decision: MemoryDecision },
  ): void {
    const { profiles } = memory;
    const profile = profileOf(pod);
    this.#options.onOutcome(cause, decision.kind);
    profiles.set(profile, decision.record);
    this.#writer.write(application, profiles);
    if (decision.kind !== "known") this.#tell(application, profile, decision.record);
    if (decision.kind === "grown" || decision.kind === "fewer-tasks") this.#reword(application, memory);
    this.#log(application, pod, decision);
  }

  #settle({ verdicts }: ApplicationMemory, pod: KubeObject, verdict: Verdict): Verdict {
    verdicts.set(pod.metadata.uid, verdict);
    const [oldest] = verdicts.keys();
    if (verdicts.size > MOST_VERDICTS && oldest !== undefined) verdicts.delete(oldest);
    return verdict;
  }

  #tell({ driver }: Application, profile: string, { isExhausted, words }: ProfileRecord): void {
    const reason = isExhausted ? "MemoryExhausted" : "MemoryGrown";
    this.#options.events.tell(podSubject(driver), {
      type: "Warning",
      reason,
      name: `memory-${profile}`,
      message: words,
    });
  }

  /** Executors that the driver has asked for already, and that are not made yet, get the new size, too. */
  #reword(application: Application, memory: ApplicationMemory): void {
    for (const entry of application.virtualExecutors()) {
      if (entry.state.kind !== "waiting") continue;
      entry.reword((request) => grown(request, memory));
      application.pods.revise(entry, (shown) => grown(shown, memory));
    }
    this.#options.onGrown();
  }

  #log({ namespace, id }: Application, pod: KubeObject, { kind, words }: MemoryDecision): void {
    const { name } = pod.metadata;
    const text = "an executor ended for lack of memory";
    this.#options.log.info(text, { namespace, application: id, name, outcome: kind, ...(words && { words }) });
  }

  /** Its driver was told that it is deleted, and does not delete it itself. */
  #remove(pod: KubeObject, gracePeriodSeconds?: number): void {
    const { letGo, log } = this.#options;
    void removeExecutor({ client: this.#term.client, letGo, log }, pod, gracePeriodSeconds);
  }
}

function idOf({ metadata: { labels } }: KubeObject): string {
  return labels?.[SPARK_EXECUTOR_ID_LABEL] ?? "?";
}
