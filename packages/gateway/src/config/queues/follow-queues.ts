import type { EventRecorder } from "@kindling/controller";
import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { GatewayConfig } from "../gateway-keys.ts";
import type { Log } from "@kindling/service";
import { KeptQueues } from "./kept-queues.ts";
import { ONE_QUEUE, type Queues, readQueuesFile } from "./queues-file.ts";

export interface FollowQueuesOptions {
  /** The cluster, where the last good queues are kept. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly log: Log;
  /** Told what came of the file each time that it has changed. */
  readonly onReload: (outcome: "taken" | "refused") => void;
  /** Told whether the file as it is now is refused, at the start and at each change. */
  readonly onRefused: (isRefused: boolean) => void;
  /** Called when there are others. */
  readonly onChange: () => void;
}

/**
 * The queues of `queues.file`, or else the one that all applications are in.
 *
 * @throws KindlingError `FILE_UNREADABLE`
 */
export async function followQueues(config: GatewayConfig, options: FollowQueuesOptions): Promise<Queues> {
  const { client, clock, events, log, onReload, onRefused, onChange } = options;
  const file = config["queues.file"];
  if (file === undefined) return ONE_QUEUE;
  const name = config["queues.keptIn"];
  const namespace = config["leader.leaseNamespace"];
  const queues = await readQueuesFile(file, {
    ...{ clock, log, reloadSeconds: config["queues.reloadInterval"] },
    kept: name === undefined ? undefined : new KeptQueues({ client, events, log, name, namespace }),
    onReload(outcome) {
      onReload(outcome);
      onRefused(outcome === "refused");
      if (outcome === "taken") onChange();
    },
  });
  onRefused(queues.refused !== undefined);
  return queues;
}
