import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { objectAt, objectsAt } from "../../json/fields.ts";
import { withoutUndefined } from "../../json/without-undefined.ts";
import { applicationIdOf } from "../../spark/spark-pod.ts";
import { DRIVER_SET, DRIVER_UID_LABEL, EXECUTORS_SET, PART_LABEL, PROFILE_LABEL, type Workload } from "./workload.ts";

export interface NewWorkload {
  readonly driver: KubeObject;
  /** Whether the driver is counted here. */
  readonly hasDriver: boolean;
  readonly localQueue: string;
  readonly part: Workload["part"];
  readonly profile: string;
  readonly executors: number;
  /** The spec of an executor's pod, as far as it is known. */
  readonly executorSpec: JsonObject;
  readonly priority: number;
  /** Distinguishes the surplus Workloads of an application. */
  readonly number: number;
}

/** Kueue's label for the time after which it ends a job. */
const MAXIMUM_SECONDS = "kueue.x-k8s.io/max-exec-time-seconds";
/** The longest name of an object. */
const LONGEST_NAME = 253;

/** A Workload of Kueue, owned by the driver's pod. */
export function workloadObject(wish: NewWorkload): JsonObject {
  const { driver, localQueue, part, profile, executors, executorSpec, priority, hasDriver } = wish;
  const { name, namespace = "", uid, labels = {} } = driver.metadata;
  const seconds = Number(labels[MAXIMUM_SECONDS]);
  // A surplus Workload may be admitted for some of its executors; the core only as a whole.
  const least = part === "surplus" ? { minCount: 1 } : {};
  const podSets: JsonObject[] = [
    ...(part === "core" && hasDriver
      ? [{ name: DRIVER_SET, count: 1, template: templateOf(objectAt(driver, "spec")) }]
      : []),
    ...(executors > 0 ? [{ name: EXECUTORS_SET, count: executors, ...least, template: templateOf(executorSpec) }] : []),
  ];
  return {
    metadata: {
      name: workloadName(wish),
      namespace,
      labels: {
        [DRIVER_UID_LABEL]: uid,
        [PART_LABEL]: part,
        [PROFILE_LABEL]: profile,
        [SPARK_APP_ID_LABEL]: applicationIdOf(driver) ?? "",
      },
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name, uid }],
    },
    spec: {
      ...{ queueName: localQueue, priority, podSets },
      ...(part === "core" && Number.isInteger(seconds) && seconds > 0 && { maximumExecutionTimeSeconds: seconds }),
    },
  };
}

/** The name of an application's Workload: the same one if it is created again, so that it cannot be there twice. */
export function workloadName({ driver, part, number }: Pick<NewWorkload, "driver" | "part" | "number">): string {
  const { name, uid } = driver.metadata;
  const end = `-${uid.slice(0, 8)}-${part === "core" ? "core" : number}`;
  return `${name.slice(0, LONGEST_NAME - end.length)}${end}`;
}

/** The number in the name of a surplus Workload. */
export function workloadNumber({ object }: Workload): number {
  const number = Number(/-(\d+)$/.exec(object.metadata.name)?.[1]);
  return Number.isNaN(number) ? 0 : number;
}

/** What Kueue needs of a pod: what it uses, and where it may run. Its environment may contain secrets, and is left out. */
function templateOf(spec: JsonObject): JsonObject {
  const { nodeSelector, affinity, tolerations, overhead, runtimeClassName, resources } = spec;
  const initContainers = objectsAt(spec, "initContainers").map(containerOf);
  return {
    spec: {
      restartPolicy: "Never",
      containers: objectsAt(spec, "containers").map(containerOf),
      ...(initContainers.length > 0 && { initContainers }),
      ...withoutUndefined({ nodeSelector, affinity, tolerations, overhead, runtimeClassName, resources }),
    },
  };
}

function containerOf({ name = "spark", image = "spark", resources, restartPolicy }: JsonObject): JsonObject {
  return { name, image, ...withoutUndefined({ resources, restartPolicy }) };
}
