import { controllerReference, type KubeObject } from "@kindling/kube-objects";
import type { Api } from "@kindling/api-server";
import { isTrue } from "../../objects/conditions.ts";
import type { PodTemplate } from "../../objects/apps.ts";
import { type Pod, isFinished } from "../../objects/pod.ts";
import type { Wanted } from "../system-writer.ts";

/** The pods that an object controls, without those that have ended. */
export function ownedPods(api: Api, owner: KubeObject): Pod[] {
  return [...api.store.collection("pods").list(owner.metadata.namespace)]
    .map(({ object }) => object as Pod)
    .filter((pod) => isControlledBy(pod, owner) && !isFinished(pod));
}

/** Whether an object is controlled by another. */
export function isControlledBy({ metadata }: KubeObject, owner: KubeObject): boolean {
  return (
    metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === owner.metadata.uid) === true
  );
}

/** Whether a pod accepts requests. */
export function isReady({ status, metadata }: Pod): boolean {
  return isTrue(status.conditions, "Ready") && metadata.deletionTimestamp === undefined;
}

/** A pod that is created from a template. */
export function podFromTemplate(owner: KubeObject, template: PodTemplate, metadata: Wanted["metadata"]): Wanted {
  const { labels = {}, annotations } = template.metadata;
  return {
    metadata: {
      ...(annotations === undefined ? {} : { annotations }),
      ...metadata,
      labels: { ...labels, ...metadata.labels },
      ownerReferences: [controllerReference(owner)],
    },
    spec: template.spec,
  };
}
