import { defineResource, type ResourceType, type Schema, structOf } from "@kindling/api-server";
import { events, resourceQuotas, serviceAccounts } from "./core/cluster-policy.ts";
import { configMaps, secrets } from "./core/config.ts";
import { namespaces } from "./core/namespaces.ts";
import { nodes } from "./core/nodes.ts";
import { pods } from "./core/pods.ts";
import { services } from "./core/services.ts";
import { persistentVolumeClaims, persistentVolumes } from "./core/volumes.ts";
import { customResourceDefinitions } from "./groups/api-extensions.ts";
import { deployments, replicaSets, statefulSets } from "./groups/apps.ts";
import { jobs } from "./groups/batch.ts";
import {
  endpointSlices,
  leases,
  networkPolicies,
  podDisruptionBudgets,
  priorityClasses,
  storageClasses,
} from "./groups/other-groups.ts";
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from "./groups/rbac.ts";

/** All built-in resources. A new resource needs a definition, a line here, and its type in the schema. */
export function builtInTypes(schema: Schema): ResourceType[] {
  return [
    configMaps,
    events,
    namespaces,
    nodes,
    persistentVolumeClaims,
    persistentVolumes,
    pods,
    resourceQuotas,
    secrets,
    serviceAccounts,
    services,
    deployments,
    replicaSets,
    statefulSets,
    jobs,
    customResourceDefinitions,
    leases,
    endpointSlices,
    networkPolicies,
    podDisruptionBudgets,
    clusterRoleBindings,
    clusterRoles,
    roleBindings,
    roles,
    priorityClasses,
    storageClasses,
  ].map((definition) => defineResource(definition, structOf(schema, definition.kind)));
}
