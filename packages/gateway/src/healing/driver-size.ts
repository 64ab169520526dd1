import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt, textsAt } from "../json/fields.ts";
import { sparkContainer } from "../spark/driver-phase.ts";
import { mebibytes } from "./executor-size.ts";
import type { ExecutorSize } from "./executor-size.ts";

const KEY = "spark.driver.memory";
/** The first argument of Spark's image for a driver (DriverCommandFeatureStep); what follows goes to spark-submit. */
const DRIVER = "driver";

/**
 * The size of a driver; `undefined` if its pod does not look as Spark makes it.
 *
 * @param asked its heap by the configuration, in MiB; what an earlier gateway has set counts more
 */
export function driverSize(pod: KubeObject, asked: number | undefined): ExecutorSize | undefined {
  const container = sparkContainer(pod);
  const total = mebibytes(objectAt(container, "resources", "limits")["memory"]);
  const set = textsAt(container, "args")
    .flatMap((argument) => heapIn(argument) ?? [])
    .at(-1);
  const heap = set ?? asked;
  if (total === undefined || heap === undefined || textsAt(container, "args")[0] !== DRIVER) return undefined;
  return { heap, total, slots: 1 };
}

/**
 * The same driver with another size. Its heap is an argument of spark-submit, which counts more than the properties file
 * (SparkSubmitCommandBuilder.getEffectiveConfig, Spark 3.5 and 4.x).
 */
export function withDriverSize(pod: KubeObject, { heap, total }: ExecutorSize): KubeObject {
  const name = sparkContainer(pod)?.["name"];
  const spec = objectAt(pod, "spec");
  const containers = objectsAt(spec, "containers").map((container): JsonObject => {
    if (container["name"] !== name) return container;
    const resources = objectAt(container, "resources");
    const memory = `${total}Mi`;
    const [first = DRIVER, ...others] = withoutHeap(textsAt(container, "args"));
    return {
      ...container,
      args: [first, "--conf", `${KEY}=${heap}m`, ...others],
      resources: {
        ...resources,
        requests: { ...objectAt(resources, "requests"), memory },
        limits: { ...objectAt(resources, "limits"), memory },
      },
    };
  });
  return { ...pod, spec: { ...spec, containers } };
}

/** An earlier gateway has put its setting into the second and the third argument. */
function withoutHeap(args: readonly string[]): readonly string[] {
  const [first, flag, setting] = args;
  if (first === undefined || flag !== "--conf" || heapIn(setting ?? "") === undefined) return args;
  return [first, ...args.slice(3)];
}

function heapIn(argument: string): number | undefined {
  const found = /^spark\.driver\.memory=(\d{1,9})m$/.exec(argument)?.[1];
  return found === undefined ? undefined : Number(found);
}
