import type { KubeObject } from "@kindling/api-server";
import { SCHEDULER_ADMISSION_GATE } from "@kindling/core-spec";
import { isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import { objectsAt, textAt } from "../json/fields.ts";
import type { Log } from "../log/json-log.ts";
import type { ClusterWatch } from "../upstream/cluster-watch.ts";
import { UPSTREAM } from "../upstream/upstream-types.ts";

export interface DriverGatesOptions {
  readonly client: KubeClient;
  readonly cluster: ClusterWatch;
  readonly clock: Clock;
  readonly log: Log;
}

/** A gate that could not be opened is tried again after so long. */
const AGAIN_MS = 10_000;

/** Opens the scheduling gates of drivers that wait for the gateway, as soon as they are there. */
export class DriverGates {
  readonly #options: DriverGatesOptions;
  /** When opening was last tried, by the driver's uid. */
  readonly #tried = new Map<string, number>();
  #isStopped = false;

  constructor(options: DriverGatesOptions) {
    this.#options = options;
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    const { cluster, clock } = this.#options;
    while (!this.#isStopped) {
      const closed = cluster.driversBehind(SCHEDULER_ADMISSION_GATE);
      const uids = new Set(closed.map(({ metadata }) => metadata.uid));
      for (const uid of this.#tried.keys()) if (!uids.has(uid)) this.#tried.delete(uid);
      await Promise.all(closed.map((driver) => this.#open(driver)));
      await cluster.news(clock, AGAIN_MS);
    }
  }

  async #open(driver: KubeObject): Promise<void> {
    const { client, clock, log } = this.#options;
    const { uid, name, namespace } = driver.metadata;
    if (clock.monotonic() - (this.#tried.get(uid) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    this.#tried.set(uid, clock.monotonic());
    const schedulingGates = objectsAt(driver, "spec", "schedulingGates").filter(
      (gate) => textAt(gate, "name") !== SCHEDULER_ADMISSION_GATE,
    );
    try {
      // With the uid the API server refuses to touch another pod of the name.
      await client.patch(UPSTREAM.pods, name, "merge", { metadata: { uid }, spec: { schedulingGates } }, { namespace });
      log.info("a driver may start", { namespace, name });
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      log.warn("the gate of a driver cannot be opened", { namespace, name, error: String(error) });
    }
  }
}
