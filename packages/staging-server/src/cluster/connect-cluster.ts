import { KindlingError } from "@kindling/core-spec";
import type { ClusterConnection } from "../cluster-connection.ts";
import type { ServerConfig } from "../config/server-config.ts";

/** Reaches the cluster as the configuration says. */
export function connectCluster(config: ServerConfig): Promise<ClusterConnection> {
  throw new KindlingError("UNSUPPORTED", `not there yet ${config["cluster.leaseName"]}`);
}
