import type { KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";

/**
 * When the last of a driver's containers started to run, in milliseconds since the epoch; undefined before that. They may
 * have ended since: the pod says so a moment later.
 */
export function driverStartedAt(driver: KubeObject): number | undefined {
  const times = objectsAt(driver, "status", "containerStatuses").map((status) => {
    const state = objectAt(status, "state");
    return Date.parse(textAt(state, "running", "startedAt") ?? textAt(state, "terminated", "startedAt") ?? "");
  });
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : Math.max(...known);
}
