import { keyOf } from "@kindling/controller";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { readOverview, type GatewayPlace } from "@kindling/gateway-client";
import { clusterError, type FindInstallation } from "@kindling/submit";
import type { SparkApplication } from "@kindling/spark-application";
import type { OperatorCaches } from "../caches/operator-caches.ts";
import type { PodRecord } from "../pods/pod-record.ts";
import { driverState } from "../pods/pod-states.ts";
import { needsGateway } from "./gateway-need.ts";
import { followPromisedExecutors } from "./promised-executors.ts";
import { stillPromised } from "./still-promised.ts";

/** What the gateway reports about the executors that it makes for drivers. */
export interface GatewayFollower {
  /** The executors that the driver of an application has been promised, by the names of their pods. */
  promised(application: SparkApplication): readonly string[];
  stop(): Promise<void>;
}

export interface FollowGatewayOptions extends Pick<Outside, "clock" | "env"> {
  readonly place: GatewayPlace;
  /** The caller closes it. */
  readonly client: KubeClient;
  readonly caches: OperatorCaches;
  readonly installations: FindInstallation;
  /** Executors of higher ids are left out. */
  readonly mostTracked: number;
  readonly log: Log;
  /** Called with the key of each application whose executors have changed. */
  readonly onChange: (key: string) => void;
}

/** Asks a gateway for the executors that only drivers know of, as long as an application needs it. */
export function followGateway(options: FollowGatewayOptions): GatewayFollower {
  const { place, client, clock, env, caches, installations, mostTracked, log, onChange } = options;
  // The code that reads an overview closes its client afterwards.
  const lent: KubeClient = { ...client, close: () => undefined };
  const executors = followPromisedExecutors({
    ...{ clock, log },
    isNeeded: () =>
      needsGateway({
        client,
        applications: () => caches.applications.values(),
        serves: (namespace) => caches.namespaces.serves(namespace),
        installations,
      }),
    ask: (signal) => readOverview(place, { clock, env, cluster: () => Promise.resolve(lent), clusterError, signal }),
    onChange({ namespace, driverPod }) {
      const driver = caches.pods.get(keyOf({ namespace, name: driverPod }));
      if (driver !== undefined) onChange(keyOf({ namespace, name: driver.applicationName }));
    },
  });
  return {
    promised({ metadata: { namespace }, status }) {
      const name = status.driverInfo.podName ?? "";
      const driver = caches.pods.get(keyOf({ namespace, name }));
      if (driver === undefined || !mayStillAsk(driver)) return [];
      return stillPromised(executors.of({ namespace, name }), status.executorState, mostTracked);
    },
    stop: () => executors.stop(),
  };
}

/** Promises to a driver end with the driver, even if the gateway has not reported that yet. */
function mayStillAsk(driver: PodRecord): boolean {
  const state = driverState(driver);
  return state === "PENDING" || state === "RUNNING";
}
