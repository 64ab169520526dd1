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
}

/** Pods that are on a node, and have not ended. */
export const OCCUPANTS = "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed";

/** What is used on nodes by pods that the gateway does not count itself. */
export class OtherPods {
  readonly usage: Usage = new Usage();
  readonly #shapes: PodShapes;
  readonly #isFollowed: (namespace: string) => boolean;

  /** `isFollowed`: whether Spark's pods in a namespace are counted elsewhere. */
  constructor(shapes: PodShapes, isFollowed: (namespace: string) => boolean) {
    this.#shapes = shapes;
    this.#isFollowed = isFollowed;
  }

  /** Keeps only the needed part of a pod. */
  readonly keep = (pod: KubeObject): OtherPod => {
    const { name, namespace, uid, resourceVersion, creationTimestamp, labels } = pod.metadata;
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
    };
  };

  /** Counts a pod that was added, changed or deleted. */
  count(change: RecordChange<OtherPod>): void {
    if (change.type !== "added") this.usage.add(change.previous.node, change.previous.requests, -1);
    if (change.type !== "deleted") this.usage.add(change.record.node, change.record.requests, 1);
  }
}
