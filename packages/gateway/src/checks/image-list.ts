import type { KubeObject } from "@kindling/kube-objects";
import { objectsAt, textAt } from "../json/fields.ts";
import { CONTAINER_LISTS } from "../spark/containers.ts";

/**
 * The images of a pod that are on no list: on that of the gateway, whose names may end in `*`, or among those that the
 * driver's own pod runs. An empty list is one of all images.
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
