import type { KubeObject } from "@kindling/kube-objects";
import { objectsAt, textAt } from "../json/fields.ts";
import { CONTAINER_LISTS } from "../spark/containers.ts";

/**
 * The images of a pod that are not allowed: neither on the gateway's list, whose names may end in `*`, nor in the driver's
 * own pod. An empty list allows all images.
 */
export function imagesBeyond(list: readonly string[], executor: KubeObject, driver: KubeObject): string[] {
  if (list.length === 0) return [];
  const own = new Set(imagesOf(driver));
  const isListed = (image: string): boolean => list.some((entry) => matches(entry, image));
  return [...new Set(imagesOf(executor))].filter((image) => !own.has(image) && !isListed(image));
}

function imagesOf(pod: KubeObject): string[] {
  return [
    ...CONTAINER_LISTS.flatMap((list) => objectsAt(pod, "spec", list)).flatMap(
      (container) => textAt(container, "image") ?? [],
    ),
    ...objectsAt(pod, "spec", "volumes").flatMap((volume) => textAt(volume, "image", "reference") ?? []),
  ];
}

function matches(entry: string, image: string): boolean {
  return entry.endsWith("*") ? image.startsWith(entry.slice(0, -1)) : image === entry;
}
