import { isKubeError, type KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import type { Metrics } from "../console/metrics/metrics.ts";
import { SetWatch } from "../cluster/set-watch.ts";

export interface WatchSetsOptions extends Pick<Outside, "clock" | "random"> {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Called when it is known whether the gateway may list sets. */
  readonly onChange: () => void;
}

/** Watches the sets of executors, also while another replica leads. */
export function watchSets({ config, client, clock, random, metrics, log, onChange }: WatchSetsOptions): SetWatch {
  const watch = new SetWatch({
    client,
    namespaces: config["cluster.namespaces"],
    ...{ clock, random },
    onFault(kind, error) {
      metrics.upstreamFaults.inc({ kind });
      if (isKubeError(error) && error.kind === "status" && error.status === 403) {
        log.warn(`the gateway may not see ${kind}`, {
          error: error.message,
          hint: `let the gateway's account list and watch ${kind}: until then, executors of sets that wait when the gateway starts are not admitted before their driver asks again`,
        });
      } else {
        log.warn("a watch of the cluster broke", { kind, error: error.message });
      }
    },
  });
  watch.synced().then(onChange, () => undefined);
  return watch;
}
