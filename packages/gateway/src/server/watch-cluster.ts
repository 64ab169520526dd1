import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import type { Log } from "@kindling/service";
import type { Metrics } from "../console/metrics/metrics.ts";
import { ClusterWatch } from "../cluster/cluster-watch.ts";

export interface WatchClusterOptions extends Pick<Outside, "clock" | "random"> {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Watches the cluster, also while another replica leads, so that a replica that takes over knows the state at once. */
export function watchCluster({ config, client, clock, random, metrics, log }: WatchClusterOptions): ClusterWatch {
  return new ClusterWatch({
    client,
    namespaces: config["cluster.namespaces"],
    ...{ clock, random },
    onFault(kind, error) {
      metrics.upstreamFaults.inc({ kind });
      log.warn("a watch of the cluster broke", { kind, error: error.message });
    },
  });
}
