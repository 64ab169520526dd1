import type { KubeObject } from "@kindling/kube-objects";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import type { RecordChange } from "@kindling/controller";
import type { Resources } from "@kindling/admission";
import { textAt } from "../../json/fields.ts";
import type { PodShapes } from "./pod-shapes.ts";
import { Usage } from "./usage.ts";

/** What a pod uses, and on which node. Nothing else is kept, because a cluster may have many pods. */
export interface OtherPod extends KubeObject {
  readonly node: string;
  readonly requests: Resources;
  /** Whether a DaemonSet made it: then each new node gets one like it. */
  readonly isDaemon: boolean;
}

/** Pods that are on a node, and have not ended. */
export const OCCUPANTS = "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed";

/** What is used on nodes by pods that the gateway does not count itself. */
export class OtherPods {
  readonly usage: Usage = new Usage();
  /** The part of it that pods of DaemonSets use. */
  readonly daemons: Usage = new Usage();
  readonly #shapes: PodShapes;
  readonly #isFollowed: (namespace: string) => boolean;

  /** `isFollowed`: whether Spark's pods in a namespace are counted elsewhere. */
  constructor(shapes: PodShapes, isFollowed: (namespace: string) => boolean) {
    this.#shapes = shapes;
    this.#isFollowed = isFollowed;
  }

  /** Keeps only the needed part of a pod. */
  readonly keep = (pod: KubeObject): OtherPod => {
    const { name, namespace, uid, resourceVersion, creationTimestamp, labels, ownerReferences = [] } = pod.metadata;
    const isCounted = labels?.[SPARK_APP_ID_LABEL] === undefined || !this.#isFollowed(namespace ?? "");
    return {
      kind: "Pod",
      apiVersion: "v1",
      metadata: {
        ...{ name, uid, resourceVersion, creationTimestamp },
        ...(namespace !== undefined && { namespace }),
      },
      node: textAt(pod, "spec", "nodeName") ?? "",
      requests: isCounted ? this.#shapes.of(pod).requests : {},
      isDaemon: ownerReferences.some(({ kind }) => kind === "DaemonSet"),
    };
  };

  /** Counts a pod that was added, changed or deleted. */
  count(change: RecordChange<OtherPod>): void {
    if (change.type !== "added") this.#add(change.previous, -1);
    if (change.type !== "deleted") this.#add(change.record, 1);
  }

  /** Whether no pods are on a node except those of DaemonSets. */
  areOnlyDaemonsOn(node: string): boolean {
    return this.usage.on(node)["pods"] === this.daemons.on(node)["pods"];
  }

  #add({ node, requests, isDaemon }: OtherPod, times: 1 | -1): void {
    this.usage.add(node, requests, times);
    if (isDaemon) this.daemons.add(node, requests, times);
  }
}
