import type { KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";

/**
 * When the last of a driver's containers started to run, in milliseconds since the epoch; undefined before that. The
 * containers may have ended since then: the pod shows this a moment later.
 */
export function driverStartedAt(driver: KubeObject): number | undefined {
  const times = objectsAt(driver, "status", "containerStatuses").map((status) => {
    const state = objectAt(status, "state");
    return Date.parse(textAt(state, "running", "startedAt") ?? textAt(state, "terminated", "startedAt") ?? "");
  });
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : Math.max(...known);
}
