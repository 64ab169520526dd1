import { addQuantities, formatQuantity, parseQuantity, type Quantity } from "@kindling/core-spec";
import type { SparkApplication } from "@kindling/spark-application";
import { initialExecutors } from "./initial-executors.ts";
import { driverMemory, executorMemory } from "./pod-memory.ts";

/**
 * The resources of a gang: the driver and the executors that it asks for first. CPUs are counted as stock does
 * (kubeflow/spark-operator v2.5.2, pkg/util/sparkapplication.go, `GetDriverRequestResource` and
 * `GetExecutorRequestResource`). Memory is the amount that the pods will request. Stock reads Spark's sizes as
 * Kubernetes' here, so `512m` is half a byte and `1g` is nothing. It also leaves out the overhead that is not in the
 * spec.
 *
 * @throws SchedulingFault for a text that is no size, or no factor
 */
export function gangResources(application: SparkApplication): Record<string, string> {
  const { driver, executor } = application.spec;
  const count = BigInt(initialExecutors(application));
  const ofDriver = firstQuantity(driver.cores?.toString(), driver.coreLimit);
  const ofExecutor = firstQuantity(executor.coreRequest, executor.cores?.toString(), executor.coreLimit);
  const cpus = [ofDriver, times(ofExecutor, count)].filter((cpu) => cpu !== undefined);
  const memory = driverMemory(application) + (count > 0n ? count * executorMemory(application) : 0n);
  return {
    ...(cpus.length > 0 && { cpu: formatQuantity(cpus.reduce(addQuantities)) }),
    memory: `${memory}Mi`,
  };
}

/** The first text that can be read. */
function firstQuantity(...texts: readonly (string | undefined)[]): Quantity | undefined {
  for (const text of texts) {
    const quantity = text === undefined ? undefined : parseQuantity(text);
    if (quantity !== undefined) return quantity;
  }
  return undefined;
}

function times(quantity: Quantity | undefined, count: bigint): Quantity | undefined {
  if (quantity === undefined || count === 0n) return undefined;
  return { ...quantity, numerator: quantity.numerator * count };
}
