import { type KubeObjectLike, apiVersionOf } from "@kindling/kube-objects";
import type { Deployment, StatefulSet } from "kubernetes-types/apps/v1.js";
import type { SelfSubjectReview, TokenReview } from "kubernetes-types/authentication/v1.js";
import type { SelfSubjectAccessReview, SubjectAccessReview } from "kubernetes-types/authorization/v1.js";
import type { CustomResourceDefinition } from "kubernetes-types/apiextensions/v1.js";
import type { Lease } from "kubernetes-types/coordination/v1.js";
import type {
  ConfigMap,
  Event,
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from "kubernetes-types/core/v1.js";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.js";
import type { ResourceType } from "./resource-type.ts";

/** Volcano's gang unit (`scheduling.volcano.sh/v1beta1`). */
export interface PodGroup extends KubeObjectLike {
  spec?: {
    minMember?: number;
    minResources?: { [name: string]: string };
    minTaskMember?: { [name: string]: number };
    priorityClassName?: string;
    queue?: string;
  };
  status?: { phase?: string; running?: number; succeeded?: number; failed?: number };
}

function core<T extends KubeObjectLike>(plural: string, kind: string, namespaced = true): ResourceType<T> {
  return { group: "", version: "v1", plural, kind, namespaced };
}

/** The kinds that are known without asking the API server; all others are found with `client.resourceFor()`. */
export const resources: {
  readonly pods: ResourceType<Pod>;
  readonly services: ResourceType<Service>;
  readonly configmaps: ResourceType<ConfigMap>;
  readonly secrets: ResourceType<Secret>;
  readonly persistentvolumeclaims: ResourceType<PersistentVolumeClaim>;
  readonly namespaces: ResourceType<Namespace>;
  readonly events: ResourceType<Event>;
  readonly serviceaccounts: ResourceType<ServiceAccount>;
  readonly nodes: ResourceType<Node>;
  readonly resourcequotas: ResourceType<ResourceQuota>;
  readonly leases: ResourceType<Lease>;
  readonly networkpolicies: ResourceType<NetworkPolicy>;
  readonly statefulsets: ResourceType<StatefulSet>;
  readonly deployments: ResourceType<Deployment>;
  readonly podgroups: ResourceType<PodGroup>;
  readonly customresourcedefinitions: ResourceType<CustomResourceDefinition>;
  readonly tokenreviews: ResourceType<TokenReview>;
  readonly selfsubjectreviews: ResourceType<SelfSubjectReview>;
  readonly subjectaccessreviews: ResourceType<SubjectAccessReview>;
  readonly selfsubjectaccessreviews: ResourceType<SelfSubjectAccessReview>;
} = {
  pods: core("pods", "Pod"),
  services: core("services", "Service"),
  configmaps: core("configmaps", "ConfigMap"),
  secrets: core("secrets", "Secret"),
  persistentvolumeclaims: core("persistentvolumeclaims", "PersistentVolumeClaim"),
  namespaces: core("namespaces", "Namespace", false),
  events: core("events", "Event"),
  serviceaccounts: core("serviceaccounts", "ServiceAccount"),
  nodes: core("nodes", "Node", false),
  resourcequotas: core("resourcequotas", "ResourceQuota"),
  leases: { group: "coordination.k8s.io", version: "v1", plural: "leases", kind: "Lease", namespaced: true },
  networkpolicies: {
    group: "networking.k8s.io",
    version: "v1",
    plural: "networkpolicies",
    kind: "NetworkPolicy",
    namespaced: true,
  },
  statefulsets: { group: "apps", version: "v1", plural: "statefulsets", kind: "StatefulSet", namespaced: true },
  deployments: { group: "apps", version: "v1", plural: "deployments", kind: "Deployment", namespaced: true },
  podgroups: {
    group: "scheduling.volcano.sh",
    version: "v1beta1",
    plural: "podgroups",
    kind: "PodGroup",
    namespaced: true,
  },
  customresourcedefinitions: {
    group: "apiextensions.k8s.io",
    version: "v1",
    plural: "customresourcedefinitions",
    kind: "CustomResourceDefinition",
    namespaced: false,
  },
  tokenreviews: {
    group: "authentication.k8s.io",
    version: "v1",
    plural: "tokenreviews",
    kind: "TokenReview",
    namespaced: false,
  },
  selfsubjectreviews: {
    group: "authentication.k8s.io",
    version: "v1",
    plural: "selfsubjectreviews",
    kind: "SelfSubjectReview",
    namespaced: false,
  },
  subjectaccessreviews: {
    group: "authorization.k8s.io",
    version: "v1",
    plural: "subjectaccessreviews",
    kind: "SubjectAccessReview",
    namespaced: false,
  },
  selfsubjectaccessreviews: {
    group: "authorization.k8s.io",
    version: "v1",
    plural: "selfsubjectaccessreviews",
    kind: "SelfSubjectAccessReview",
    namespaced: false,
  },
};

/** The entry of {@link resources} for a kind as objects name it, if there is one. */
export function knownResource(apiVersion: string, kind: string): ResourceType | undefined {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  return Object.values<ResourceType>(resources).find(
    (type) => type.kind === kind && type.group === group && type.version === version,
  );
}

/** Whether a type is one of {@link resources}: their lists and objects are all known to be stored, with uids and versions. */
export function isBuiltIn(type: ResourceType): boolean {
  return knownResource(apiVersionOf(type), type.kind)?.plural === type.plural;
}
