import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import { ClusterRoom } from "../admission/demand/cluster-room.ts";
import type { Queues } from "../config/queues/queues-file.ts";
import type { Log } from "@kindling/service";

export interface WatchClusterRoomOptions extends Pick<Outside, "clock" | "random"> {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly log: Log;
  readonly queues: Pick<Queues, "nodeClasses">;
  /** Called after something has changed. */
  readonly onChange: () => void;
}

/** Watches what limits applications, also while another replica leads. */
export function watchClusterRoom({
  config,
  client,
  clock,
  random,
  log,
  queues,
  onChange,
}: WatchClusterRoomOptions): ClusterRoom {
  return new ClusterRoom({
    ...{ client, clock, random, log, onChange, capacity: config.capacity },
    nodeClasses: () => queues.nodeClasses,
    namespaces: config["cluster.namespaces"],
  });
}
