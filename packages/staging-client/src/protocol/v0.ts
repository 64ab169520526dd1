/*
 * The protocol of apache-spark-on-k8s/spark, branch-2.2-kubernetes (deploy/rest/k8s): bundles are tar.gz files that the
 * server does not look into.
 */

import type { StagedResourcesOwner } from "./owner.ts";

/** Paths relative to a server's base URI. The old client sends a slash after `resources`; the old server accepts both forms. */
export const v0Paths = {
  resources: "api/v0/resources/",
  resource: (resourceId: string): string => `api/v0/resources/${encodeURIComponent(resourceId)}`,
  ping: "api/v0/ping",
} as const;

/** Names of the parts of the upload's multipart body, in the old client's order. */
export const V0_RESOURCES_PART = "resources";
export const V0_OWNER_PART = "resourcesOwner";

/** The part `resourcesOwner`. */
export type V0Owner = StagedResourcesOwner;

/** `POST /api/v0/resources/` */
export interface V0Submitted {
  readonly resourceId: string;
  readonly resourceSecret: string;
}
