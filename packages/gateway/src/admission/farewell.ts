import type { KubeObject } from "@kindling/kube-objects";
import type { EventRecorder } from "@kindling/controller";
import { isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import type { AuditLog, Log } from "@kindling/service";
import { applicationIdOf, isToldBeforeItsEnd, podSubject } from "../spark/spark-pod.ts";
import type { LetGo } from "../cluster/let-go.ts";
import { UPSTREAM } from "../cluster/upstream-types.ts";

export interface FarewellOptions {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly log: Log;
  readonly auditLog: AuditLog;
  /** How long an executor with a preStop hook may take to leave, in seconds. */
  readonly graceSeconds: number;
  readonly onAsked: () => void;
  /** Ends executors without their pods, where these can stay for their shuffle files. */
  readonly letGo: Pick<LetGo, "canStay" | "end">;
  /** Called when an executor could not be asked to leave. */
  readonly onFailure: (executor: KubeObject) => void;
}

/** Why an executor is taken away, for an event of its pod. */
export interface FarewellOrder {
  readonly reason: "Preempted" | "NodeLeaves" | "SpotShare";
  readonly message: string;
}

/** Kubernetes' default grace period. An executor without a preStop hook ends at once. */
const USUAL_GRACE_SECONDS = 30;

/**
 * Makes executors leave as Kubernetes does when it drains a node: their pods are deleted with a grace period. The container's
 * preStop hook (Spark's decommission script) then signals the executor. The executor tells its driver, takes no more tasks,
 * moves its blocks and ends; the hook waits for this. An executor without the hook ends at once. If its pod can stay for its
 * shuffle files, only Spark's container is ended. An event of the pod says why.
 */
export class Farewell {
  readonly #options: FarewellOptions;

  constructor(options: FarewellOptions) {
    this.#options = options;
  }

  async ask(executor: KubeObject, order: FarewellOrder): Promise<void> {
    const { log, auditLog, onAsked, onFailure } = this.#options;
    const { name, namespace, uid } = executor.metadata;
    try {
      await this.#end(executor);
      onAsked();
      log.info("an executor was asked to leave", { namespace, name, reason: order.message });
      const object = { namespace, application: applicationIdOf(executor), resource: "pods", name, uid };
      auditLog.write({ verb: "evict", decision: "allow", reason: order.message, object });
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      log.warn("an executor cannot be asked to leave", { namespace, name, error: String(error) });
      return onFailure(executor);
    }
    await this.#note(executor, order);
  }

  async #end(executor: KubeObject): Promise<void> {
    const { client, graceSeconds, letGo } = this.#options;
    if (letGo.canStay(executor)) return letGo.end(executor);
    const { name, namespace, uid } = executor.metadata;
    await client.delete(UPSTREAM.pods, name, {
      namespace,
      gracePeriodSeconds: Math.round(
        isToldBeforeItsEnd(executor) ? graceSeconds : Math.min(graceSeconds, USUAL_GRACE_SECONDS),
      ),
      preconditions: { uid },
    });
  }

  async #note(executor: KubeObject, { reason, message }: FarewellOrder): Promise<void> {
    const { events, log } = this.#options;
    try {
      await events.tellOnce(podSubject(executor), { type: "Normal", reason, name: reason.toLowerCase(), message });
    } catch (error) {
      log.debug("an event for an executor cannot be written", { name: executor.metadata.name, error: String(error) });
    }
  }
}
