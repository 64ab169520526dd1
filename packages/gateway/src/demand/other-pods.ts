import type { KubeObject } from "@kindling/api-server";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { createObjectStore, type ObjectStore, type StoreChange } from "@kindling/kube";
import type { Resources } from "@kindling/admission";
import { textAt } from "../json/fields.ts";
import type { PodShapes } from "./pod-shapes.ts";
import { Usage } from "./usage.ts";

/** Of a pod what it uses, and where: there may be many in a cluster. */
interface OtherPod extends KubeObject {
  readonly node: string;
  readonly requests: Resources;
}

/** Pods that are on a node, and have not ended. */
export const OCCUPANTS = "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed";

/** What is used on nodes by pods that the gateway follows for no other reason. */
export class OtherPods {
  readonly usage: Usage = new Usage();
  readonly store: ObjectStore<OtherPod>;
  readonly #shapes: PodShapes;
  readonly #isFollowed: (namespace: string) => boolean;

  /** `isFollowed`: whether Spark's pods of a namespace are counted elsewhere. */
  constructor(shapes: PodShapes, isFollowed: (namespace: string) => boolean) {
    this.#shapes = shapes;
    this.#isFollowed = isFollowed;
    this.store = createObjectStore<OtherPod>({ onChange: (change) => this.#count(change) });
  }

  /** What the store is to hold of a pod. */
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

  #count(change: StoreChange<OtherPod>): void {
    const { object } = change;
    if (change.type === "updated") this.usage.add(change.previous.node, change.previous.requests, -1);
    this.usage.add(object.node, object.requests, change.type === "deleted" ? -1 : 1);
  }
}
