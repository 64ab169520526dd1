import type { KubeObject } from "@kindling/api-server";
import { objectsAt, textAt } from "../json/fields.ts";

/** When the last of a driver's containers started to run, in milliseconds since the epoch; undefined before that. */
export function driverStartedAt(driver: KubeObject): number | undefined {
  const times = objectsAt(driver, "status", "containerStatuses").map((status) =>
    Date.parse(textAt(status, "state", "running", "startedAt") ?? ""),
  );
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : Math.max(...known);
}
