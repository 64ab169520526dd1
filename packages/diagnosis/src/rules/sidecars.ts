import { EVENT_LOG_CONTAINER } from "@kindling/core-spec";
import { keptBy } from "../evidence/containers.ts";
import type { PodState } from "../evidence/pod-state.ts";
import type { Finding } from "../finding.ts";
import { findingOf } from "./role.ts";

/** Sidecars that keep a driver pod after its application has ended: the pod keeps its resources and its volumes. */
export function sidecarsThatRunOn(driver: PodState, driverContainer: string | undefined): Finding[] {
  // Kindling's own ends by itself when the recorder has the event log.
  const names = keptBy(driver, driverContainer).filter((name) => name !== EVENT_LOG_CONTAINER);
  if (names.length === 0 || driver.deleting) return [];
  const which = `${names.length === 1 ? "container" : "containers"} ${names.join(", ")}`;
  return [
    findingOf({ role: "driver", pod: driver }, "obstacle", {
      cause: "SidecarRunsOn",
      word: "sidecar runs on",
      container: names[0],
      summary: `the application has ended, and ${which} keeps the pod ${driver.name}, with what the pod holds`,
      advice:
        `kindling kill ${driver.namespace}:${driver.name} ends it; a sidecar that is an init container with restartPolicy: Always is ended by ` +
        "Kubernetes itself",
    }),
  ];
}
