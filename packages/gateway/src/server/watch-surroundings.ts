import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { Surroundings } from "../demand/surroundings.ts";
import type { Log } from "@kindling/service";

export interface WatchSurroundingsOptions {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after something has changed. */
  readonly onChange: () => void;
}

/** Follows what limits applications; as the cluster, also while another replica leads. */
export function watchSurroundings({ config, client, clock, log, onChange }: WatchSurroundingsOptions): Surroundings {
  const namespaces = config["cluster.namespaces"];
  return new Surroundings({
    ...{ client, clock, log, onChange, capacity: config.capacity },
    namespaces: namespaces.length === 0 ? undefined : namespaces,
  });
}
