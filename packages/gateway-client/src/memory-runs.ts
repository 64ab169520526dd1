/** A size of executors, in MiB: Java's heap, and the limit of the whole container. */
export interface MemorySize {
  readonly heap: number;
  readonly total: number;
}

/** What one run of an application needed, as a gateway records it. Only executors of the default resource profile count. */
export interface MemoryRun {
  /** The end of the run, RFC 3339. */
  readonly at: string;
  readonly hasSucceeded: boolean;
  /** How many executors there were at the same time, at most. */
  readonly executors: number;
  /** As the application asked for them. */
  readonly asked: MemorySize;
  /** As they began: the same, or what earlier runs had needed. */
  readonly began: MemorySize;
  /** As they were at the end, after executors had ended for lack of memory. */
  readonly ended: MemorySize;
  /** The most that one executor used; `undefined` if it could not be measured. */
  readonly peak: MemorySize | undefined;
}

/** What the next run should begin with. */
export interface MemoryProposal {
  readonly size: MemorySize;
  /** How many runs it rests on. */
  readonly runs: number;
  /** Whether some of these runs measured what they used. Without that, it can only be more than the application asks for. */
  readonly isMeasured: boolean;
  /** How much less memory the last run would have taken with it, in MiB, with all executors together; negative: how much more. */
  readonly saved: number;
}

/** The name of the ConfigMap with the runs of an application, and its entry. */
export const MEMORY_RUNS_ENTRY = "runs.json";

/** @param name the application's name, as in the label `spark-app-name` of its pods */
export function memoryRunsName(name: string): string {
  return `kindling-memory-${name}`;
}

/** Older runs are forgotten. */
export const MOST_MEMORY_RUNS = 20;
/** Fewer runs say too little about what an application never needs. */
const LEAST_RUNS = 3;
/** One run in ten may have been unusual. */
const QUANTILE = 0.9;
/**
 * A third more than was ever seen in a heap: Java divides it into parts, and one large array has to fit into one of them. What is
 * outside grows less.
 */
const HEAP_MARGIN = 1.35;
const TOTAL_MARGIN = 1.1;
/** A heap that is this full may have been full of garbage: then nothing says that less is enough. */
const FULL = 0.85;
/** What a JVM needs outside of its heap, and the least heap with which an executor starts (UnifiedMemoryManager: 1.5 times 300 MB). */
const LEAST_OVERHEAD = 192;
const LEAST_HEAP = 512;
/** Sizes are rounded up to this many MiB. */
const STEP = 32;

/**
 * What the next run should begin with; `undefined` if the runs say nothing. Executors that had to grow begin as they ended: one
 * such run is enough. They begin smaller only if enough runs in a row had room to spare, never below `least`, and never after a
 * run with learned sizes that had to grow.
 *
 * @param runs the latest last
 * @param least the smallest container, in MiB
 */
export function proposeMemory(runs: readonly MemoryRun[], least = 0): MemoryProposal | undefined {
  const last = runs.at(-1);
  if (last === undefined) return undefined;
  // A change of the configuration begins a new history.
  const same = runs.slice(runs.findLastIndex(({ asked }) => !isSame(asked, last.asked)) + 1);
  const grown = same.filter((run) => hasGrown(run));
  const wasTooSmall = grown.some(({ began, asked }) => began.heap < asked.heap || began.total < asked.total);
  const needed = same.filter(({ hasSucceeded, peak }) => hasSucceeded && peak !== undefined).map((run) => needOf(run));
  const isMeasured = needed.length >= LEAST_RUNS && !wasTooSmall;
  const floor = grown.reduce((most, { ended }) => larger(most, ended), isMeasured ? { heap: 0, total: 0 } : last.asked);
  const size = isMeasured ? larger(floor, withMargin(needed, least)) : larger(floor, { heap: 0, total: least });
  if (isSame(size, last.asked)) return undefined;
  const saved = (last.ended.total - size.total) * last.executors;
  return { size, runs: isMeasured ? needed.length : grown.length, isMeasured, saved };
}

function withMargin(needed: readonly MemorySize[], least: number): MemorySize {
  const heap = Math.max(LEAST_HEAP, rounded(quantile(needed.map((one) => one.heap)) * HEAP_MARGIN));
  const total = rounded(quantile(needed.map((one) => one.total)) * TOTAL_MARGIN);
  return { heap, total: Math.max(total, heap + Math.max(LEAST_OVERHEAD, rounded(heap / 10)), least) };
}

/** What a run needed: what it used, or all of a heap that was almost full. */
function needOf({ peak, ended }: MemoryRun): MemorySize {
  if (peak === undefined) return ended;
  const isFull = peak.heap >= ended.heap * FULL;
  // The margin is added to what was used, and not to a size that was chosen with one.
  return {
    heap: isFull ? ended.heap / HEAP_MARGIN : peak.heap,
    total: Math.min(peak.total, ended.total / TOTAL_MARGIN),
  };
}

function hasGrown({ began, ended }: MemoryRun): boolean {
  return ended.heap > began.heap || ended.total > began.total;
}

function quantile(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * QUANTILE))] ?? 0;
}

function rounded(mebibytes: number): number {
  return Math.ceil(mebibytes / STEP) * STEP;
}

function larger(one: MemorySize, other: MemorySize): MemorySize {
  return { heap: Math.max(one.heap, other.heap), total: Math.max(one.total, other.total) };
}

function isSame(one: MemorySize, other: MemorySize): boolean {
  return one.heap === other.heap && one.total === other.total;
}

/** The runs as they are written: the latest last. */
export function formatMemoryRuns(runs: readonly MemoryRun[]): string {
  return JSON.stringify(runs.slice(-MOST_MEMORY_RUNS));
}

/** Reads what {@link formatMemoryRuns} has written. Everything else is left out, because people may edit it. */
export function parseMemoryRuns(text: string | undefined): readonly MemoryRun[] {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
  return Array.isArray(value) ? value.flatMap((one) => readRun(one) ?? []).slice(-MOST_MEMORY_RUNS) : [];
}

function readRun(value: unknown): MemoryRun | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { at, hasSucceeded, executors, asked, began, ended, peak } = value as Readonly<Record<string, unknown>>;
  const sizes = [asked, began, ended].map((one) => readSize(one));
  const [first, second, third] = sizes;
  if (typeof at !== "string" || !isAmount(executors)) return undefined;
  if (first === undefined || second === undefined || third === undefined) return undefined;
  return {
    ...{ at, executors, asked: first, began: second, ended: third },
    hasSucceeded: hasSucceeded === true,
    peak: readSize(peak),
  };
}

function readSize(value: unknown): MemorySize | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { heap, total } = value as Readonly<Record<string, unknown>>;
  return isAmount(heap) && isAmount(total) ? { heap, total } : undefined;
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < 2 ** 31;
}
