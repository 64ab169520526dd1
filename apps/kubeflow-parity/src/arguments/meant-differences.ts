// The intended differences between our arguments and those of the stock operator.
import { compareQuantities, type Pod, parseQuantity } from "@kindling/core-spec";
import type { SparkApplication, SparkApplicationSpec } from "@kindling/spark-application";

/**
 * The stock executor template without its reference to the application. That reference keeps executors alive when their driver
 * goes.
 */
export function withoutApplication({ metadata: { ownerReferences = [], ...metadata } = {}, ...template }: Pod): object {
  const others = ownerReferences.filter(({ kind }) => kind !== "SparkApplication");
  return { ...template, metadata: others.length === 0 ? metadata : { ...metadata, ownerReferences: others } };
}

type Conf = Readonly<Record<string, string>>;

/**
 * The stock configuration as ours is written. A size is spelled as in the application, not as Go spells it. The one executor is
 * removed that the stock operator adds where only sparkConf asks for dynamic allocation (`withDefaults` says why).
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
