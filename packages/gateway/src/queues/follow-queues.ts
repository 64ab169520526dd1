import type { Clock } from "@kindling/outside";
import type { GatewayConfig } from "../config/gateway-config.ts";
import type { Log } from "@kindling/service";
import type { Metrics } from "../metrics/metrics.ts";
import { ONE_QUEUE, type Queues, readQueuesFile } from "./queues-file.ts";

export interface FollowQueuesOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "queueReloads">;
  /** Called when there are others. */
  readonly onChange: () => void;
}

/**
 * The queues of `queues.file`, or else the one that all applications are in.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`
 */
export async function followQueues(config: GatewayConfig, options: FollowQueuesOptions): Promise<Queues> {
  const { clock, log, metrics, onChange } = options;
  const file = config["queues.file"];
  if (file === undefined) return ONE_QUEUE;
  return await readQueuesFile(file, {
    ...{ clock, log, reloadSeconds: config["queues.reloadInterval"] },
    onReload(outcome) {
      metrics.queueReloads.inc({ outcome });
      if (outcome === "taken") onChange();
    },
  });
}
