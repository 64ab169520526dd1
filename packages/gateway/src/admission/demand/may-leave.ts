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
  /** Called when more is known of an application than before. */
  readonly onChange: () => void;
}

/**
 * How executors of an application can be taken away. A pod shows whether Spark's decommissioning is on: its container is
 * told so before it is ended. Whether it then moves its shuffle blocks stands in the driver's configuration, which is read
 * once; only that of drivers whose executors show it. Until it is read, nobody is taken away; if it cannot be read, they can
 * only be deleted. An executor of a StatefulSet or a Deployment is made again at once when it goes, so it cannot be taken
 * away at all.
 */
export class MayLeave {
  readonly #options: MayLeaveOptions;
  /** By the uid of the driver; undefined while it is being read. */
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

  /** Whether a configuration is being read: who can leave without loss is not known of all yet. */
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
      // It may be gone, unreadable, or not be the gateway's to read: nobody is asked to leave then.
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

/** Shuffle blocks are moved to other executors; or the application counts on losing executors, and makes anew what it needs. */
function losesNothing(conf: Readonly<Record<string, string>>): boolean {
  const isOn = (key: string, otherwise: boolean): boolean => (conf[key] ?? String(otherwise)).trim() === "true";
  const moves =
    isOn("spark.storage.decommission.enabled", false) && isOn("spark.storage.decommission.shuffleBlocks.enabled", true);
  const isElastic =
    isOn("spark.dynamicAllocation.enabled", false) && isOn("spark.dynamicAllocation.shuffleTracking.enabled", true);
  return isOn("spark.decommission.enabled", false) && (moves || isElastic);
}
