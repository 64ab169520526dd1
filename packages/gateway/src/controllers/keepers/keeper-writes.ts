import type { KubeObject } from "@kindling/kube-objects";
import { isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import type { AuditLog, Log } from "@kindling/service";
import { takeAway } from "../../cluster/take-away.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { applicationIdOf } from "../../spark/spark-pod.ts";
import { shrink, type Shrunk } from "./shrink.ts";

/** How the pod of an ended executor fared, for metrics. */
export type KeeperOutcome = Exclude<Shrunk["kind"], "gone"> | "deleted" | "too-many" | "gave-way";

export interface KeeperWritesOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly auditLog: AuditLog;
  readonly onOutcome: (outcome: KeeperOutcome) => void;
}

/** Carries out what has to happen to the pods of ended executors. */
export class KeeperWrites {
  readonly #options: KeeperWritesOptions;
  /** Pods that the cluster does not resize, by uid. */
  readonly #unresizable = new Set<string>();

  constructor(options: KeeperWritesOptions) {
    this.#options = options;
  }

  isUnresizable({ metadata: { uid } }: KubeObject): boolean {
    return this.#unresizable.has(uid);
  }

  /** Forgets the pods that are not among these. */
  keepOnly(uids: ReadonlySet<string>): void {
    for (const uid of this.#unresizable) if (!uids.has(uid)) this.#unresizable.delete(uid);
  }

  async delete(pod: KubeObject, reason: string, outcome: KeeperOutcome): Promise<void> {
    const { client, log, auditLog, onOutcome } = this.#options;
    await takeAway(client, UPSTREAM.pods, pod);
    const { name, namespace, uid } = pod.metadata;
    onOutcome(outcome);
    log.info("a keeper of shuffle files was deleted", { namespace, name, reason });
    const object = { namespace, application: applicationIdOf(pod), resource: "pods", name, uid };
    auditLog.write({ verb: "delete", decision: "allow", reason, object });
  }

  async giveBack(pod: KubeObject): Promise<void> {
    const { client, log, onOutcome } = this.#options;
    const { name, namespace, uid } = pod.metadata;
    const shrunk = await shrink(client, pod);
    if (shrunk.kind === "gone") return;
    onOutcome(shrunk.kind);
    if (shrunk.kind !== "refused") return log.info("the room of an ended executor was given back", { namespace, name });
    this.#unresizable.add(uid);
    log.warn("an ended executor keeps its room as long as its shuffle files are wanted", {
      ...{ namespace, name, reason: shrunk.message },
      hint: "in-place resize of pods needs Kubernetes 1.33, and the right to patch pods/resize",
    });
  }

  /** Removes these annotations. */
  async unprotect({ metadata: { name, namespace, uid } }: KubeObject, protecting: readonly string[]): Promise<void> {
    const annotations = Object.fromEntries(protecting.map((one) => [one, null]));
    try {
      const body = { metadata: { uid, annotations } };
      await this.#options.client.patch(UPSTREAM.pods, name, "merge", body, { namespace });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
