import type { Clock } from "@kindling/outside";
import type { ClusterAccessReviews } from "@kindling/service";
import type { ServerConfig } from "../config/server-config.ts";
import type { Election } from "../replicas/election.ts";
import type { OwnerWatch } from "../lifecycle/owner-watch.ts";

/** All that a server asks of a cluster. */
export interface ClusterConnection {
  readonly reviews: ClusterAccessReviews;
  watchOwners(options: { readonly clock: Clock; readonly onError: (error: unknown) => void }): OwnerWatch;
  /** Takes part in the election of the server that deletes. */
  elect(options: { readonly replica: string; readonly onError: (error: unknown) => void }): Election;
  close(): void;
}

/** Whether a configuration needs a cluster at all. */
export function needsCluster(config: ServerConfig): boolean {
  return config["auth.mode"] === "kubernetes" || config["lifecycle.owners"] === "kubernetes";
}
