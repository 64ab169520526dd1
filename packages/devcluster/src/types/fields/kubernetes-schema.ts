import { metaTypes, parseSchema, type Schema } from "@kindling/api-server";
import { appsTypes } from "./apps.ts";
import { batchTypes } from "./batch.ts";
import { clusterTypes } from "./cluster.ts";
import { configTypes } from "./config.ts";
import { containerTypes } from "./container.ts";
import { customResourceDefinitionTypes } from "./custom-resource-definition.ts";
import { namespaceTypes } from "./namespace.ts";
import { nodeTypes } from "./node.ts";
import { persistentVolumeTypes } from "./persistent-volume.ts";
import { podStatusTypes } from "./pod-status.ts";
import { podTypes } from "./pod.ts";
import { rbacTypes } from "./rbac.ts";
import { reviewTypes } from "./review.ts";
import { serviceTypes } from "./service.ts";
import { volumeTypes } from "./volume.ts";

/** The types of Kubernetes 1.34 that this server knows. */
export function kubernetesSchema(): Schema {
  return parseSchema([
    metaTypes,
    podTypes,
    containerTypes,
    volumeTypes,
    podStatusTypes,
    namespaceTypes,
    serviceTypes,
    configTypes,
    persistentVolumeTypes,
    nodeTypes,
    appsTypes,
    batchTypes,
    rbacTypes,
    clusterTypes,
    reviewTypes,
    customResourceDefinitionTypes,
  ]);
}
