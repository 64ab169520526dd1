import { isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import { parseAmount } from "@kindling/api-server";
import { objectAt, objectsAt, textAt } from "../json/fields.ts";
import { executorContainer } from "../spark/executor-container.ts";

/** What an executor has of memory, in MiB, and how many tasks it runs at a time. */
export interface ExecutorSize {
  /** Java's heap: `SPARK_EXECUTOR_MEMORY`, which the image's entry point turns into `-Xmx`. */
  readonly heap: number;
  /** The limit of the container: the heap, and everything outside of it. */
  readonly total: number;
  /** `SPARK_EXECUTOR_CORES`: the executor registers with its driver with this number, and gets as many tasks. */
  readonly slots: number;
}

const HEAP = "SPARK_EXECUTOR_MEMORY";
const SLOTS = "SPARK_EXECUTOR_CORES";
const NANOS_PER_MIB = 1_000_000_000n * 1024n * 1024n;

/**
 * The size of an executor as its pod says it (BasicExecutorFeatureStep, Spark 3.5 and 4.x); `undefined` if it does not look as
 * Spark makes it. Then its memory is left alone.
 */
export function executorSize(pod: KubeObject): ExecutorSize | undefined {
  const container = containerOf(pod);
  const heap = /^(\d{1,9})m$/.exec(valueOf(container, HEAP) ?? "")?.[1];
  const total = mebibytes(objectAt(container, "resources", "limits")["memory"]);
  const slots = Number(valueOf(container, SLOTS));
  if (heap === undefined || total === undefined || !Number.isInteger(slots) || slots < 1) return undefined;
  // The container of an ended executor that was made small, or something that Spark would not make.
  if (total <= Number(heap)) return undefined;
  return { heap: Number(heap), total, slots };
}

/** The same executor with another size: its request of memory grows with its limit. */
export function withSize(pod: KubeObject, { heap, total, slots }: ExecutorSize): KubeObject {
  const name = executorContainer(pod);
  const spec = objectAt(pod, "spec");
  const containers = objectsAt(spec, "containers").map((container): JsonObject => {
    if (container["name"] !== name) return container;
    const resources = objectAt(container, "resources");
    const memory = `${total}Mi`;
    const env = objectsAt(container, "env").map((variable): JsonObject => {
      if (variable["name"] === HEAP) return { ...variable, value: `${heap}m` };
      return variable["name"] === SLOTS ? { ...variable, value: String(slots) } : variable;
    });
    return {
      ...container,
      env,
      resources: {
        ...resources,
        requests: { ...objectAt(resources, "requests"), memory },
        limits: { ...objectAt(resources, "limits"), memory },
      },
    };
  });
  return { ...pod, spec: { ...spec, containers } };
}

/** A size that was written as JSON; `undefined` for anything else. */
export function readSize(value: unknown): ExecutorSize | undefined {
  if (!isObject(value)) return undefined;
  const { heap, total, slots } = value;
  return isWhole(heap) && isWhole(total) && isWhole(slots) ? { heap, total, slots } : undefined;
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

/** Whether an executor has at least this much memory, and no more tasks at a time. */
export function isAtLeast(one: ExecutorSize, other: ExecutorSize): boolean {
  return one.heap >= other.heap && one.total >= other.total && one.slots <= other.slots;
}

/** The larger memory and the smaller number of tasks of both. */
export function safer(one: ExecutorSize, other: ExecutorSize): ExecutorSize {
  return {
    heap: Math.max(one.heap, other.heap),
    total: Math.max(one.total, other.total),
    slots: Math.min(one.slots, other.slots),
  };
}

function containerOf(pod: KubeObject): JsonObject | undefined {
  const name = executorContainer(pod);
  return objectsAt(pod, "spec", "containers").find((container) => container["name"] === name);
}

/** The last one counts, as in Kubernetes. */
function valueOf(container: JsonObject | undefined, name: string): string | undefined {
  return textAt(
    objectsAt(container, "env").findLast((variable) => isObject(variable) && variable["name"] === name),
    "value",
  );
}

/** A quantity of memory in whole MiB, rounded up. */
export function mebibytes(quantity: unknown): number | undefined {
  const text = typeof quantity === "number" ? String(quantity) : quantity;
  if (typeof text !== "string") return undefined;
  const nanos = parseAmount(text)?.nanos ?? 0n;
  return nanos <= 0n ? undefined : Number((nanos + NANOS_PER_MIB - 1n) / NANOS_PER_MIB);
}
