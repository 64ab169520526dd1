// In which ways arguments of ours may differ from stock's.
import { compareQuantities, parseQuantity } from "@kindling/core-spec";

/** Stock's executors' template without its reference to the application, which keeps executors from going with their driver. */
export function withoutApplication({ metadata: { ownerReferences, ...metadata }, ...template }) {
  const others = ownerReferences.filter(({ kind }) => kind !== "SparkApplication");
  return { ...template, metadata: others.length === 0 ? metadata : { ...metadata, ownerReferences: others } };
}

/**
 * Stock's configuration in the words of ours: a size as the application spells it, where stock has Go's spelling of it;
 * and without the one executor that stock adds where only sparkConf asks for dynamic allocation (`withDefaults` says why).
 */
export function asOursSays(theirs, ours, { spec }) {
  const isOurs = (key, value) =>
    isSameSize(key, value, ours[key]) || (key === "spark.executor.instances" && isAddedByStock(spec));
  const entries = Object.entries(theirs).map(([key, value]) => [key, isOurs(key, value) ? ours[key] : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function isSameSize(key, ...texts) {
  const [theirs, ours] = texts.map((text) => parseQuantity(text ?? ""));
  if (!key.endsWith(".options.sizeLimit") || theirs === undefined || ours === undefined) return false;
  return compareQuantities(theirs, ours) === 0;
}

function isAddedByStock({ sparkConf = {}, dynamicAllocation, executor }) {
  const isDynamic = dynamicAllocation === undefined && sparkConf["spark.dynamicAllocation.enabled"] === "true";
  return isDynamic && executor.instances === undefined && !sparkConf["spark.executor.instances"];
}
