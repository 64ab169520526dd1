import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { SCHEDULER_ADMISSION_GATE } from "@kindling/core-spec";
import { isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import { objectAt, objectsAt, textAt } from "../json/fields.ts";
import type { AuditLog, Log } from "@kindling/service";
import { UPSTREAM } from "../cluster/upstream-types.ts";
import { ADMITTED_AT } from "../spark/marks.ts";
import { applicationIdOf } from "../spark/spark-pod.ts";
import { capacityTypeAnnotation } from "./spot/capacity-type.ts";
import { preferredNode } from "./preferred-node.ts";

export interface DriverGatesOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly auditLog: AuditLog;
  /** Prepares what a driver needs before it starts. Must not fail. */
  readonly before: (driver: KubeObject) => Promise<void>;
  /** Called when a gate could not be opened: the driver still waits. */
  readonly onFailure: (driver: KubeObject) => void;
}

/** What a driver gets when its gate is opened. */
export interface DriverAdditions {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** Members of its spec. Kubernetes lets a pod behind a gate get stricter conditions for its node, and tolerations. */
  readonly spec?: JsonObject;
}

/** Opens the scheduling gates of drivers. Gates of others on the same pod stay. */
export class DriverGates {
  readonly #options: DriverGatesOptions;

  constructor(options: DriverGatesOptions) {
    this.#options = options;
  }

  /**
   * @param driver with the affinity and the annotations that it gets
   * @param node the node on which room is kept for the driver
   * @param more what else the driver gets
   */
  async open(driver: KubeObject, node: string | undefined, more: DriverAdditions = {}): Promise<void> {
    const { client, clock, log, auditLog, before, onFailure } = this.#options;
    const { uid, name, namespace } = driver.metadata;
    const schedulingGates = objectsAt(driver, "spec", "schedulingGates").filter(
      (gate) => textAt(gate, "name") !== SCHEDULER_ADMISSION_GATE,
    );
    const annotations = {
      ...capacityTypeAnnotation(driver),
      ...more.annotations,
      [ADMITTED_AT]: new Date(clock.now()).toISOString(),
    };
    const affinity = node === undefined ? objectAt(driver, "spec")["affinity"] : preferredNode(driver, node);
    const spec = { schedulingGates, ...(affinity !== undefined && { affinity }), ...more.spec };
    const patch = { metadata: { uid, annotations, ...(more.labels && { labels: more.labels }) }, spec };
    await before(driver);
    try {
      // With the uid the API server refuses to touch another pod of the name.
      await client.patch(UPSTREAM.pods, name, "merge", patch, { namespace });
      log.info("a driver may start", { namespace, name });
      const object = { namespace, application: applicationIdOf(driver), resource: "pods", name, uid };
      auditLog.write({ verb: "start", decision: "allow", reason: "there is room for the driver", object });
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      log.warn("the gate of a driver cannot be opened", { namespace, name, error: String(error) });
      onFailure(driver);
    }
  }
}
