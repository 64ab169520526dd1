import type { KubeObject } from "@kindling/kube-objects";
import type { RecordIdentity } from "@kindling/controller";
import type { SetKind } from "../spark/set-marks.ts";
import { type ResourceType, resources } from "@kindling/kube";

// The client's own types name more of the fields than the API server's answers are known to have.
const untyped = ({ group, version, plural, kind, namespaced }: ResourceType): ResourceType<KubeObject> => ({
  ...{ group, version, plural, kind, namespaced },
});

/** A resource type of Karpenter 1.0 and later. */
function ofKarpenter(plural: string, kind: string): ResourceType<KubeObject> {
  return { group: "karpenter.sh", version: "v1", plural, kind, namespaced: false };
}

/** The resource types that the gateway requests from the API server. */
export const UPSTREAM: Readonly<
  Record<
    | "pods"
    | "configmaps"
    | "persistentvolumeclaims"
    | "services"
    | "namespaces"
    | "nodes"
    | "resourcequotas"
    | "events"
    | "nodepools"
    | "nodeclaims"
    | SetKind,
    ResourceType<KubeObject>
  >
> = {
  pods: untyped(resources.pods),
  configmaps: untyped(resources.configmaps),
  persistentvolumeclaims: untyped(resources.persistentvolumeclaims),
  services: untyped(resources.services),
  statefulsets: untyped(resources.statefulsets),
  deployments: untyped(resources.deployments),
  namespaces: untyped(resources.namespaces),
  nodes: untyped(resources.nodes),
  resourcequotas: untyped(resources.resourcequotas),
  events: untyped(resources.events),
  nodepools: ofKarpenter("nodepools", "NodePool"),
  nodeclaims: ofKarpenter("nodeclaims", "NodeClaim"),
};

/** The types of objects that a driver pod may own and that the next driver needs. */
export const OWNED: Readonly<
  Record<
    "configmaps" | "secrets" | "persistentvolumeclaims" | "services" | "networkpolicies" | "podgroups",
    ResourceType<KubeObject>
  >
> = {
  configmaps: UPSTREAM.configmaps,
  secrets: untyped(resources.secrets),
  persistentvolumeclaims: UPSTREAM.persistentvolumeclaims,
  services: UPSTREAM.services,
  networkpolicies: untyped(resources.networkpolicies),
  podgroups: untyped(resources.podgroups),
};

/** The object without its managed fields, which nothing here uses. They are a third of a pod. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _dropped, ...metadata } = object.metadata as KubeObject["metadata"] & {
    readonly managedFields?: unknown;
  };
  return { ...object, metadata };
}

/** The identity of an object, for a cache. */
export function objectIdentity({ metadata }: KubeObject): RecordIdentity {
  return metadata;
}
