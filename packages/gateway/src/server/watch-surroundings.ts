import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import { Surroundings } from "../admission/demand/surroundings.ts";
import type { Log } from "@kindling/service";

export interface WatchSurroundingsOptions extends Pick<Outside, "clock" | "random"> {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly log: Log;
  /** Called after something has changed. */
  readonly onChange: () => void;
}

/** Watches what limits applications, also while another replica leads. */
export function watchSurroundings({
  config,
  client,
  clock,
  random,
  log,
  onChange,
}: WatchSurroundingsOptions): Surroundings {
  return new Surroundings({
    ...{ client, clock, random, log, onChange, capacity: config.capacity },
    namespaces: config["cluster.namespaces"],
  });
}
