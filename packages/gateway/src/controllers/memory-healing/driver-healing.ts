import type { KubeObject } from "@kindling/kube-objects";
import { MEMORY_RECORD_ANNOTATION } from "@kindling/core-spec";
import { memoryAtEnd, type MemoryAtEnd } from "@kindling/diagnosis";
import type { KubeClient } from "@kindling/kube";
import type { Log } from "@kindling/service";
import { textAt } from "../../json/fields.ts";
import { sparkContainer } from "../../spark/driver-phase.ts";
import { driverSize } from "../../healing/driver-size.ts";
import { type ExecutorSize, isAtLeast, safer } from "../../healing/executor-size.ts";
import { MEMORY_KINDS, type MemoryCause, seenEnd } from "../../healing/memory-end.ts";
import {
  DEFAULT_PROFILE,
  DRIVER_PROFILE,
  memoryRecord,
  memoryRecordText,
  type ProfileRecord,
} from "../../healing/memory-record.ts";
import { type MemoryWish, memoryWish } from "../../healing/memory-wish.ts";
import { asAskedForWords, type EndedPod, type MemoryLimit } from "../../healing/memory-words.ts";
import { decideGrowth, type MemoryDecision } from "./decide-growth.ts";
import { logTail } from "./log-tail.ts";

export interface DriverHealingOptions {
  readonly client: Pick<KubeClient, "logs">;
  readonly log: Log;
  /** What limits the memory of a driver, besides the wish of its user. */
  readonly roomOf: (driver: KubeObject) => readonly MemoryLimit[];
}

/** What was too small when a driver ended. */
interface DriverEnd {
  readonly of: MemoryAtEnd["of"];
  readonly cause: MemoryCause;
  readonly exitCode: number | undefined;
  readonly isKilled: boolean;
}

/** Finds out whether a driver that is started again needs more memory, or its executors. */
export class DriverHealing {
  readonly #options: DriverHealingOptions;

  constructor(options: DriverHealingOptions) {
    this.#options = options;
  }

  /**
   * The annotations that say so for the next driver, which is made with them; none if memory was not the reason, or if the
   * application does not want it. It is read from the driver's log, as long as its pod is there.
   */
  async annotations(driver: KubeObject): Promise<Record<string, string>> {
    const wish = memoryWish(driver);
    const end = wish && (await this.#endOf(driver));
    if (wish === undefined || end === undefined) return {};
    const profile = end.of === "driver" ? DRIVER_PROFILE : DEFAULT_PROFILE;
    const record = memoryRecord(driver);
    const size = end.of === "driver" ? driverSize(driver, wish.driverHeap) : executorNow(record.get(profile), wish);
    if (size === undefined) return {};
    const limits = this.#options.roomOf(driver);
    const ended = inWords(end, size);
    const next =
      asAskedFor(ended, record.get(profile), wish) ??
      nextRecord(decideGrowth(ended, record.get(profile), { wish, profile, limits }));
    const { namespace, name } = driver.metadata;
    this.#options.log.info("a driver ended for lack of memory", { namespace, name, words: next.words });
    const changed = new Map([...record, [profile, next]]);
    return { [MEMORY_RECORD_ANNOTATION]: memoryRecordText(changed) };
  }

  async #endOf(driver: KubeObject): Promise<DriverEnd | undefined> {
    const container = textAt(sparkContainer(driver), "name") ?? "";
    const end = seenEnd(driver, container);
    if (end !== undefined && !end.asksLog) return { of: "driver", ...end };
    if (end === undefined) return undefined;
    const { name, namespace = "" } = driver.metadata;
    const lines = await logTail(this.#options.client, { namespace, pod: name, container });
    const found = lines && memoryAtEnd(lines);
    if (found === undefined) return undefined;
    const cause = found.kind === "python" ? "container" : MEMORY_KINDS[found.kind];
    const exitCode = found.of === "driver" ? end.exitCode : undefined;
    return cause && { of: found.of, cause, exitCode, isKilled: false };
  }
}

function executorNow(record: ProfileRecord | undefined, { executor }: MemoryWish): ExecutorSize | undefined {
  return record?.now ?? executor;
}

function nextRecord({ record, words }: MemoryDecision): ProfileRecord {
  return { ...record, words };
}

/** If executors began with less than the application asks for, by what earlier runs needed, then they get what it asks for. */
function asAskedFor(
  ended: EndedPod,
  record: ProfileRecord | undefined,
  { executor }: MemoryWish,
): ProfileRecord | undefined {
  if (record?.raises !== 0 || executor === undefined || isAtLeast(record.now, executor)) return undefined;
  return { ...record, now: safer(record.now, executor), raises: 1, words: asAskedForWords(ended, executor) };
}

function inWords({ of, cause, exitCode, isKilled }: DriverEnd, size: ExecutorSize): EndedPod {
  const who = of === "driver" ? "the driver" : "executors";
  return { who, next: of === "driver" ? "the next driver" : "executors", cause, exitCode, isKilled, size };
}
