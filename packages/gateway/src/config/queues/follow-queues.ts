import type { EventRecorder } from "@kindling/controller";
import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { GatewayConfig } from "../gateway-keys.ts";
import type { Log } from "@kindling/service";
import { KeptQueues } from "./kept-queues.ts";
import { ONE_QUEUE, type Queues, readQueuesFile } from "./queues-file.ts";

export interface FollowQueuesOptions {
  /** The client of the cluster in which the last valid queues are kept. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly log: Log;
  /** Told each time that the file has changed, and whether it could be used. */
  readonly onReload: (outcome: "taken" | "refused") => void;
  /** Told at the start and at each change whether the current file is refused. */
  readonly onRefused: (isRefused: boolean) => void;
  /** Called when they have changed. */
  readonly onChange: () => void;
}

/**
 * The queues of `queues.file`; without that setting, one queue for all applications.
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
