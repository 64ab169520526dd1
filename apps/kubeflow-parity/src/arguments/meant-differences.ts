// In which ways arguments of ours may differ from stock's.
import { compareQuantities, type Pod, parseQuantity } from "@kindling/core-spec";
import type { SparkApplication, SparkApplicationSpec } from "@kindling/spark-application";

/** Stock's executors' template without its reference to the application, which keeps executors from going with their driver. */
export function withoutApplication({ metadata: { ownerReferences = [], ...metadata } = {}, ...template }: Pod): object {
  const others = ownerReferences.filter(({ kind }) => kind !== "SparkApplication");
  return { ...template, metadata: others.length === 0 ? metadata : { ...metadata, ownerReferences: others } };
}

type Conf = Readonly<Record<string, string>>;

/**
 * Stock's configuration in the words of ours: a size as the application spells it, where stock has Go's spelling of it;
 * and without the one executor that stock adds where only sparkConf asks for dynamic allocation (`withDefaults` says why).
 */
export function asOursSays(theirs: Conf, ours: Conf, { spec }: SparkApplication): Conf {
  const isOurs = (key: string, value: string): boolean =>
    isSameSize(key, value, ours[key]) || (key === "spark.executor.instances" && isAddedByStock(spec));
  return Object.fromEntries(
    Object.entries(theirs).flatMap(([key, value]) => {
      const said = isOurs(key, value) ? ours[key] : value;
      return said === undefined ? [] : [[key, said]];
    }),
  );
}

function isSameSize(key: string, theirs: string, ours: string = ""): boolean {
  const [one, other] = [parseQuantity(theirs), parseQuantity(ours)];
  if (!key.endsWith(".options.sizeLimit") || one === undefined || other === undefined) return false;
  return compareQuantities(one, other) === 0;
}

function isAddedByStock({ sparkConf = {}, dynamicAllocation, executor }: SparkApplicationSpec): boolean {
  const isDynamic = dynamicAllocation === undefined && sparkConf["spark.dynamicAllocation.enabled"] === "true";
  return isDynamic && executor.instances === undefined && (sparkConf["spark.executor.instances"] ?? "") === "";
}
