import type { SparkApplication } from "@kindling/spark-application";
import { schedulerPluginsPodGroupName } from "../object-names.ts";
import { ownerReference } from "../owned-object.ts";
import type { SchedulerPluginsPodGroup } from "../resource-types.ts";
import { gangResources } from "./gang-resources.ts";
import type { Scheduled } from "./scheduled.ts";

const POD_GROUP = "scheduling.x-k8s.io/pod-group";

/**
 * Puts driver and executors into a PodGroup of kube-scheduler's plugins, which a label of the application, and so of its
 * pods, names (kubeflow/spark-operator v2.5.2, internal/scheduler/kubescheduler/scheduler.go).
 *
 * @throws SchedulingFault
 */
export function kubeScheduler(application: SparkApplication): Scheduled {
  const { metadata } = application;
  const name = schedulerPluginsPodGroupName(metadata.name);
  const object: SchedulerPluginsPodGroup = {
    apiVersion: "scheduling.x-k8s.io/v1alpha1",
    kind: "PodGroup",
    metadata: { name, namespace: metadata.namespace, ownerReferences: [ownerReference(application)] },
    spec: { minMember: 1, minResources: gangResources(application) },
  };
  return {
    application: { ...application, metadata: { ...metadata, labels: { ...metadata.labels, [POD_GROUP]: name } } },
    objects: [
      {
        when: "before-driver",
        atEnd: "deleted",
        failure: "failed to process batch scheduler: failed to sync pod group",
        object,
      },
    ],
  };
}
