import type { KubeObject } from "@kindling/kube-objects";
import type { RecordIdentity } from "@kindling/controller";
import type { SetKind } from "../spark/set-marks.ts";
import { type ResourceType, resources } from "@kindling/kube";

// The client's own types name more of the fields than the API server's answers are known to have.
const untyped = ({ group, version, plural, kind, namespaced }: ResourceType): ResourceType<KubeObject> => ({
  ...{ group, version, plural, kind, namespaced },
});

/** What the gateway asks the API server for. */
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
};

/** What a driver pod may own that the driver that follows it needs. */
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

/** An object without what nobody here looks at; for a pod that is a third of it. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _dropped, ...metadata } = object.metadata as KubeObject["metadata"] & {
    readonly managedFields?: unknown;
  };
  return { ...object, metadata };
}

/** What tells an object from others, for a cache. */
export function objectIdentity({ metadata }: KubeObject): RecordIdentity {
  return metadata;
}
