import type { KubeObject } from "@kindling/kube-objects";
import { parseProperties } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Leave } from "@kindling/admission";
import { objectsAt, textAt } from "../../json/fields.ts";
import { isOfSet, isToldBeforeItsEnd } from "../../spark/spark-pod.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import type { RequestedExecutor } from "./application-demand.ts";

/** The volume of a driver pod that holds its configuration, as Spark's submission makes it. */
const CONF_VOLUME = "spark-conf-volume-driver";

export interface MayLeaveOptions {
  readonly client: KubeClient;
  /** Called when more is known about an application. */
  readonly onChange: () => void;
}

/**
 * How executors of an application can be taken away. If Spark's decommissioning is on, the executor's container has a preStop
 * hook. Whether the executor then moves its shuffle blocks is set in the driver's configuration. This is read once, and only
 * if the executors have the hook. Until it is read, no executor is taken away; if it cannot be read, executors can only be
 * deleted. An executor of a StatefulSet or a Deployment cannot be taken away at all, because it is created again at once.
 */
export class MayLeave {
  readonly #options: MayLeaveOptions;
  /** By the uid of the driver; undefined while the configuration is being read. */
  readonly #known = new Map<string, boolean | undefined>();

  constructor(options: MayLeaveOptions) {
    this.#options = options;
  }

  of(driver: KubeObject, executors: readonly RequestedExecutor[]): (executor: KubeObject) => Leave {
    const own = this.#ownExecutors(driver, executors);
    return (executor) => (isOfSet(executor) ? "never" : own);
  }

  #ownExecutors(driver: KubeObject, executors: readonly RequestedExecutor[]): Leave {
    const first = executors.find(({ kind }) => kind === "present");
    if (first === undefined || !isToldBeforeItsEnd(first.pod)) return "deletion";
    const { uid } = driver.metadata;
    if (!this.#known.has(uid)) void this.#read(driver);
    const movesShuffle = this.#known.get(uid);
    if (movesShuffle === undefined) return "never";
    return movesShuffle ? "graceful" : "deletion";
  }

  /**
   * Whether a configuration is being read. Until then it is not known for all executors whether they can leave without loss.
   */
  get isReading(): boolean {
    for (const known of this.#known.values()) if (known === undefined) return true;
    return false;
  }

  /** Forgets the drivers that are not among these. */
  keep(uids: ReadonlySet<string>): void {
    for (const uid of this.#known.keys()) if (!uids.has(uid)) this.#known.delete(uid);
  }

  async #read(driver: KubeObject): Promise<void> {
    const { uid, namespace } = driver.metadata;
    this.#known.set(uid, undefined);
    const name = confMapOf(driver);
    let movesShuffle = false;
    try {
      if (name !== undefined) {
        const map = await this.#options.client.get(UPSTREAM.configmaps, name, { namespace });
        movesShuffle = losesNothing(parseProperties(textAt(map, "data", "spark.properties") ?? ""));
      }
    } catch {
      // The ConfigMap may be gone or invalid, or the gateway may not be allowed to read it. Then no executor is asked to
      // leave.
    }
    if (!this.#known.has(uid)) return;
    this.#known.set(uid, movesShuffle);
    this.#options.onChange();
  }
}

function confMapOf(driver: KubeObject): string | undefined {
  const volume = objectsAt(driver, "spec", "volumes").find((one) => textAt(one, "name") === CONF_VOLUME);
  return volume && textAt(volume, "configMap", "name");
}

/**
 * Whether shuffle blocks are moved to other executors, or the application is prepared to lose executors and recomputes what
 * it needs.
 */
function losesNothing(conf: Readonly<Record<string, string>>): boolean {
  const isOn = (key: string, otherwise: boolean): boolean => (conf[key] ?? String(otherwise)).trim() === "true";
  const moves =
    isOn("spark.storage.decommission.enabled", false) && isOn("spark.storage.decommission.shuffleBlocks.enabled", true);
  const isElastic =
    isOn("spark.dynamicAllocation.enabled", false) && isOn("spark.dynamicAllocation.shuffleTracking.enabled", true);
  // Shuffle files that are served by another container stay.
  const isServed = isOn("spark.shuffle.service.enabled", false);
  return isOn("spark.decommission.enabled", false) && (moves || isElastic || isServed);
}
