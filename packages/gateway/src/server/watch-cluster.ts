import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { GatewayConfig } from "../config/gateway-config.ts";
import type { Log } from "@kindling/service";
import type { Metrics } from "../metrics/metrics.ts";
import { ClusterWatch } from "../upstream/cluster-watch.ts";

export interface WatchClusterOptions {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Follows the cluster, also while another replica leads: one that takes over knows at once what there is. */
export function watchCluster({ config, client, clock, metrics, log }: WatchClusterOptions): ClusterWatch {
  const namespaces = config["cluster.namespaces"];
  return new ClusterWatch({
    client,
    namespaces: namespaces.length === 0 ? undefined : namespaces,
    clock,
    onFault(kind, error) {
      metrics.upstreamFaults.inc({ kind });
      log.warn("a watch of the cluster broke", { kind, error: error.message });
    },
  });
}
