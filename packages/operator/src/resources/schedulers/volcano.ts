import type { PodGroup } from "@kindling/kube";
import type { SparkApplication } from "@kindling/spark-application";
import { withDriver, withExecutor } from "../changed-application.ts";
import { firstOf } from "../first-of.ts";
import { volcanoPodGroupName } from "../object-names.ts";
import { ownerReference } from "../owned-object.ts";
import { gangResources } from "./gang-resources.ts";
import type { Scheduled } from "./scheduled.ts";

const GROUP_NAME = "scheduling.k8s.io/group-name";

/**
 * Puts driver and executors into a PodGroup of Volcano's, which lets the driver start as soon as there is room for all
 * (kubeflow/spark-operator v2.5.2, internal/scheduler/volcano/scheduler.go). A driver that names a group already keeps
 * it.
 *
 * @throws SchedulingFault
 */
export function volcano(application: SparkApplication): Scheduled {
  const { driver, executor } = application.spec;
  if (driver.annotations?.[GROUP_NAME] !== undefined) return { application, objects: [] };
  const name = volcanoPodGroupName(application.metadata.name);
  const group = { [GROUP_NAME]: name };
  const withGroup = withDriver(application, { annotations: { ...driver.annotations, ...group } });
  return {
    application: withExecutor(withGroup, { annotations: { ...executor.annotations, ...group } }),
    objects: [
      {
        when: "before-driver",
        atEnd: "deleted",
        failure: "failed to process batch scheduler: failed to sync PodGroup with error",
        object: podGroup(application, name),
      },
    ],
  };
}

function podGroup(application: SparkApplication, name: string): PodGroup {
  const { queue, priorityClassName, resources } = application.spec.batchSchedulerOptions ?? {};
  const own = firstOf(resources);
  return {
    apiVersion: "scheduling.volcano.sh/v1beta1",
    kind: "PodGroup",
    metadata: { name, namespace: application.metadata.namespace, ownerReferences: [ownerReference(application)] },
    spec: {
      minMember: 1,
      minResources: Object.keys(own).length > 0 ? { ...own } : gangResources(application),
      ...(queue !== undefined && queue !== "" && { queue }),
      ...(priorityClassName !== undefined && priorityClassName !== "" && { priorityClassName }),
    },
  };
}
