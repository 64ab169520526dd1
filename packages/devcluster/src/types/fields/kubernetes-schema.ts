import { parseSchema } from "./parse-schema.ts";
import { appsTypes } from "./types/apps.ts";
import { clusterTypes } from "./types/cluster.ts";
import { configTypes } from "./types/config.ts";
import { containerTypes } from "./types/container.ts";
import { customResourceDefinitionTypes } from "./types/custom-resource-definition.ts";
import { metaTypes } from "./types/meta.ts";
import { namespaceTypes } from "./types/namespace.ts";
import { nodeTypes } from "./types/node.ts";
import { persistentVolumeTypes } from "./types/persistent-volume.ts";
import { podStatusTypes } from "./types/pod-status.ts";
import { podTypes } from "./types/pod.ts";
import { rbacTypes } from "./types/rbac.ts";
import { reviewTypes } from "./types/review.ts";
import { serviceTypes } from "./types/service.ts";
import { volumeTypes } from "./types/volume.ts";
import type { Schema } from "./types.ts";

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
    rbacTypes,
    clusterTypes,
    reviewTypes,
    customResourceDefinitionTypes,
  ]);
}
