import type { ExaminedPod } from "./role.ts";

/** The key that names a container's image: the localizer's own, or Spark's. */
export function imageKey({ role, pod }: ExaminedPod, container: string): string {
  if (container === LOCALIZER) return "spark.kindling.localizer.image";
  return container === pod.sparkContainer
    ? `spark.kubernetes.container.image, or spark.kubernetes.${role}.container.image`
    : `the image of container ${container} in the pod template`;
}

/** The init container that brings files into a pod. */
export const LOCALIZER = "spark-localizer";
