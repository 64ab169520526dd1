import { type KubeObjectLike, resources, type PodGroup, type ResourceType } from "@kindling/kube";
import type { Ingress } from "kubernetes-types/networking/v1.js";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.js";

/** The gang unit of kube-scheduler's plugins (kubernetes-sigs/scheduler-plugins, apis/scheduling/v1alpha1). */
export interface SchedulerPluginsPodGroup extends KubeObjectLike {
  spec?: { minMember?: number; minResources?: { [name: string]: string } };
}

/** The kinds of objects that the operator makes for an application, besides those of every submission. */
export const resourceTypes: {
  readonly ingresses: ResourceType<Ingress>;
  readonly podDisruptionBudgets: ResourceType<PodDisruptionBudget>;
  readonly volcanoPodGroups: ResourceType<PodGroup>;
  readonly schedulerPluginsPodGroups: ResourceType<SchedulerPluginsPodGroup>;
} = {
  ingresses: { group: "networking.k8s.io", version: "v1", plural: "ingresses", kind: "Ingress", namespaced: true },
  podDisruptionBudgets: {
    group: "policy",
    version: "v1",
    plural: "poddisruptionbudgets",
    kind: "PodDisruptionBudget",
    namespaced: true,
  },
  volcanoPodGroups: resources.podgroups,
  schedulerPluginsPodGroups: {
    group: "scheduling.x-k8s.io",
    version: "v1alpha1",
    plural: "podgroups",
    kind: "PodGroup",
    namespaced: true,
  },
};
