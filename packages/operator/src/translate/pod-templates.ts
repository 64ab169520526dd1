import type { Pod } from "@kindling/core-spec";
import { ownerReference } from "../resources/owned-object.ts";
import type { SparkApplication } from "@kindling/spark-application";
import { DRIVER_CONTAINER } from "../pods/spark-names.ts";

/**
 * The pod that the driver starts from: the object's own template, or an empty one, bound to the object (kubeflow/
 * spark-operator v2.5.2, `driverPodTemplateOption`).
 */
export function driverTemplate(application: SparkApplication): Pod {
  const { template } = application.spec.driver;
  const owner = ownerReference(application);
  const owners = template?.metadata?.ownerReferences ?? [];
  return {
    apiVersion: "v1",
    kind: "Pod",
    ...template,
    metadata: {
      ...template?.metadata,
      ownerReferences: owners.some(({ uid }) => uid === owner.uid) ? owners : [...owners, owner],
    },
    spec: template?.spec ?? { containers: [{ name: DRIVER_CONTAINER }] },
  };
}
