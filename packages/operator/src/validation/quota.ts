import {
  addQuantities,
  compareQuantities,
  harmlessText,
  parseBytes,
  parseQuantity,
  quotedName,
  type Quantity,
} from "@kindling/core-spec";
import type { ResourceQuota } from "kubernetes-types/core/v1.js";
import type { SparkApplication, SparkApplicationSpec, SparkPodSpec } from "@kindling/spark-application";

const MIN_OVERHEAD_BYTES = 384 * 2 ** 20;

type Resources = ReadonlyMap<string, Quantity>;

/**
 * Which quotas of its namespace an application would exceed (kubeflow/spark-operator v2.5.2,
 * internal/webhook/resourcequota.go): cores, core limits, and memory with its overhead, of the driver and of as many
 * executors as `instances` says. Quotas with scopes are left out, as in stock.
 *
 * Differs where stock refuses applications that fit: stock counts memory twice, and reads memory without a unit as none,
 * where Spark reads it as MiB.
 *
 * @param application with its defaults
 * @param quotas of its namespace
 * @returns stock's message for each quota that has no room, or why the amounts could not be counted
 */
export function validateQuota(application: SparkApplication, quotas: readonly ResourceQuota[]): readonly string[] {
  const amounts = resourcesOf(application.spec);
  if (typeof amounts === "string") return [`failed to calculate resource quests: ${amounts}`];
  return quotas
    .filter(({ spec }) => spec?.scopeSelector === undefined && (spec?.scopes ?? []).length === 0)
    .filter((quota) => !hasRoom(quota, amounts))
    .map(({ metadata }) => `failed to validate resource quota "${metadata?.namespace}/${metadata?.name}"`);
}

function hasRoom({ spec, status }: ResourceQuota, amounts: Resources): boolean {
  return [...amounts].every(([name, amount]) => {
    if (status?.hard?.[name] === undefined) return true;
    const sum = addQuantities(amount, quantityOf(status.used?.[name]));
    return compareQuantities(sum, quantityOf(spec?.hard?.[name])) <= 0;
  });
}

function quantityOf(text: string | undefined): Quantity {
  return parseQuantity(text ?? "0") ?? NONE;
}

const NONE: Quantity = { numerator: 0n, denominator: 1n };

/** The sum over all pods, by the names that quotas know, or why it cannot be computed. */
function resourcesOf(spec: SparkApplicationSpec): Resources | string {
  const factor = overheadFactor(spec);
  if (typeof factor === "string") return factor;
  const sums = { cores: NONE, limit: NONE, bytes: NONE };
  for (const [pod, replicas] of [
    [spec.driver, 1],
    [spec.executor, spec.executor.instances ?? 1],
  ] as const) {
    const limit = coreLimit(pod);
    const bytes = memoryBytes(pod, factor);
    if (typeof limit === "string") return limit;
    if (typeof bytes === "string") return bytes;
    sums.cores = addQuantities(sums.cores, times({ numerator: BigInt(pod.cores ?? 1), denominator: 1n }, replicas));
    sums.limit = addQuantities(sums.limit, times(limit, replicas));
    sums.bytes = addQuantities(sums.bytes, times({ numerator: bytes, denominator: 1n }, replicas));
  }
  return new Map([
    ["cpu", sums.cores],
    ["requests.cpu", sums.cores],
    ["limits.cpu", sums.limit],
    ["memory", sums.bytes],
    ["requests.memory", sums.bytes],
  ]);
}

function times({ numerator, denominator }: Quantity, count: number): Quantity {
  return { numerator: numerator * BigInt(count), denominator };
}

function coreLimit({ coreLimit, cores = 1 }: SparkPodSpec): Quantity | string {
  if (coreLimit === undefined) return { numerator: BigInt(cores), denominator: 1n };
  return (
    parseQuantity(coreLimit) ??
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
  );
}

function memoryBytes({ memory, memoryOverhead }: SparkPodSpec, factor: number): bigint | string {
  const own = memory === undefined ? 0n : parsedMemory(memory);
  if (typeof own === "string") return own;
  const overhead = memoryOverhead === undefined ? overheadOf(own, factor) : parsedMemory(memoryOverhead);
  return typeof overhead === "string" ? overhead : own + overhead;
}

function overheadOf(bytes: bigint, factor: number): bigint {
  // A factor may be of any size. An amount larger than any cluster is as good as infinity.
  return BigInt(Math.trunc(Math.min(Math.max(Number(bytes) * factor, MIN_OVERHEAD_BYTES), Number.MAX_SAFE_INTEGER)));
}

function parsedMemory(text: string): bigint | string {
  const mebibytes = /^\s*\d+\s*$/.test(text) ? `${text.trim()}m` : text;
  return (
    parseBytes(mebibytes, "b") ??
    `could not parse string '${harmlessText(text)}' as a Java-style memory value. Examples: 100kb, 1.5mb, 1g`
  );
}

function overheadFactor({ memoryOverheadFactor: text, type }: SparkApplicationSpec): number | string {
  if (text === undefined) return type === "Java" ? 0.1 : 0.4;
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  const why = isNumber ? "value out of range" : "invalid syntax";
  return isNumber && Number.isFinite(Number(text))
    ? Number(text)
    : `strconv.ParseFloat: parsing ${quotedName(text)}: ${why}`;
}
