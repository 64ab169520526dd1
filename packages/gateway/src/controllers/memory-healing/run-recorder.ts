import type { Term } from "@kindling/controller";
import { messageOf, SPARK_APP_NAME_LABEL } from "@kindling/core-spec";
import { type MemoryRun, type MemorySize, proposeMemory } from "@kindling/gateway-client";
import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { Application } from "../../views/applications/application.ts";
import { driverPhase } from "../../spark/driver-phase.ts";
import { type ExecutorSize, executorSize, withSize } from "../../healing/executor-size.ts";
import { DEFAULT_PROFILE, profileOf } from "../../healing/memory-record.ts";
import { learnedWords } from "../../healing/memory-words.ts";
import type { ApplicationMemory } from "./application-memory.ts";
import type { ExecutorMetricsReader } from "./executor-metrics-reader.ts";
import { type HistoryPlace, MemoryHistory } from "./memory-history.ts";

export interface RunRecorderOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly peaks: Pick<ExecutorMetricsReader, "follow" | "forget">;
  /** A pod as the cluster has it now. */
  readonly pod: (namespace: string, name: string) => KubeObject | undefined;
  /** Tells people what an application begins with. */
  readonly tell: (application: Application, words: string) => void;
}

/** What is known about the present run of an application: executors of the default resource profile. */
interface Run {
  asked: ExecutorSize | undefined;
  learned: { readonly size: MemorySize; readonly words: string } | undefined;
  executors: number;
  isTold: boolean;
}

/** Remembers what runs of an application needed, and lets the next run begin so (`spark.kindling.memory=learn`). */
export class RunRecorder {
  readonly #history: MemoryHistory;
  readonly #options: RunRecorderOptions;
  readonly #runs = new WeakMap<Application, Run>();
  readonly #prepared = new WeakMap<Application, Promise<void>>();

  constructor({ client }: Term, options: RunRecorderOptions) {
    this.#history = new MemoryHistory(client);
    this.#options = options;
  }

  /** Resolves when it is known what the application begins with. */
  async prepare(application: Application, memory: ApplicationMemory): Promise<void> {
    const known = this.#prepared.get(application) ?? this.#prepare(application, memory);
    this.#prepared.set(application, known);
    await known;
  }

  /** An executor as its driver asks for it, with the memory that earlier runs needed. */
  begun(application: Application, pod: KubeObject): KubeObject {
    const asked = executorSize(pod);
    const run = this.#runs.get(application);
    if (run === undefined || asked === undefined || profileOf(pod) !== DEFAULT_PROFILE) return pod;
    run.asked ??= asked;
    if (run.learned === undefined) return pod;
    if (!run.isTold) this.#options.tell(application, run.learned.words);
    run.isTold = true;
    return withSize(pod, { ...asked, ...run.learned.size });
  }

  /** An executor of the application has changed. */
  counted(application: Application): void {
    const run = this.#runs.get(application);
    if (run !== undefined) run.executors = Math.max(run.executors, application.executors);
  }

  /** How much memory the application asks for in an executor, in MiB; `undefined` if it has not asked yet. */
  asked(application: Application): number | undefined {
    return this.#runs.get(application)?.asked?.total;
  }

  /** The application is over. */
  ended(application: Application, memory: ApplicationMemory): void {
    const place = placeOf(application);
    const run = this.#runs.get(application);
    const peak = this.#options.peaks.forget(application);
    if (place === undefined || run?.asked === undefined) return;
    const { namespace, driverName } = application;
    const driver = this.#options.pod(namespace, driverName);
    const { heap, total } = run.asked;
    const began = run.learned?.size ?? { heap, total };
    const now = memory.profiles.get(DEFAULT_PROFILE)?.now;
    const ended: MemoryRun = {
      at: new Date(this.#options.clock.now()).toISOString(),
      hasSucceeded: driver !== undefined && driverPhase(driver) === "Succeeded",
      executors: Math.max(1, run.executors),
      ...{
        asked: { heap, total },
        began,
        ended: now === undefined ? began : { heap: now.heap, total: now.total },
        peak,
      },
    };
    this.#history.add(place, ended).catch((error: unknown) => {
      this.#options.log.warn("what a run needed of memory cannot be recorded", { ...place, error: messageOf(error) });
    });
  }

  async #prepare(application: Application, { wish }: ApplicationMemory): Promise<void> {
    const run: Run = { asked: undefined, learned: undefined, executors: 0, isTold: false };
    this.#runs.set(application, run);
    this.#options.peaks.follow(application, wish.uiPort);
    const place = placeOf(application);
    if (!wish.learns || place === undefined) return;
    try {
      const proposal = proposeMemory(await this.#history.read(place), wish.least);
      if (proposal === undefined) return;
      const { heap, total } = proposal.size;
      const size = { heap, total: Math.min(total, wish.most ?? total) };
      if (size.total > heap) run.learned = { size, words: learnedWords(size, proposal.runs, wish.beside) };
    } catch (error) {
      this.#options.log.warn("what earlier runs needed of memory cannot be read", {
        ...place,
        error: messageOf(error),
      });
    }
  }
}

function placeOf({ namespace, driver }: Application): HistoryPlace | undefined {
  const name = driver.metadata.labels?.[SPARK_APP_NAME_LABEL] ?? "";
  return name === "" ? undefined : { namespace, name };
}
