import type { KubeObject } from "@kindling/api-server";
import { isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import type { Log } from "@kindling/service";
import { UPSTREAM } from "../upstream/upstream-types.ts";

export interface FarewellOptions {
  readonly client: KubeClient;
  readonly log: Log;
  /** How long an executor may take, in seconds. */
  readonly graceSeconds: number;
  readonly onAsked: () => void;
  /** Called when one could not be asked. */
  readonly onFailure: (executor: KubeObject) => void;
}

/**
 * Asks executors to leave as Kubernetes does when it drains a node: their pods are deleted with a period of grace. The
 * container's preStop hook, Spark's decommission script, then signals the executor, which tells its driver, takes no
 * more tasks, moves its blocks and ends; the hook waits for that.
 */
export class Farewell {
  readonly #options: FarewellOptions;

  constructor(options: FarewellOptions) {
    this.#options = options;
  }

  async ask(executor: KubeObject, inFavourOf: string, reason: string): Promise<void> {
    const { client, log, graceSeconds, onAsked, onFailure } = this.#options;
    const { name, namespace, uid } = executor.metadata;
    try {
      await client.delete(UPSTREAM.pods, name, {
        namespace,
        gracePeriodSeconds: Math.round(graceSeconds),
        preconditions: { uid },
      });
      onAsked();
      log.info("an executor was asked to leave", { namespace, name, inFavourOf, reason });
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      log.warn("an executor cannot be asked to leave", { namespace, name, error: String(error) });
      onFailure(executor);
    }
  }
}
