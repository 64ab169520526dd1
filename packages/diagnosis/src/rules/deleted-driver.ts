import { driverTermination } from "../evidence/containers.ts";
import type { PodState } from "../evidence/pod-state.ts";
import type { Finding } from "../finding.ts";
import { disruptedPod } from "./disrupted-pod.ts";
import { exitCodeText } from "./exit-code.ts";
import { findingOf } from "./role.ts";

/** Whether somebody has deleted the driver pod. If the cluster itself deletes a pod, it says so. */
export function isDeletedByUser(driver: PodState): boolean {
  return driver.deleting && disruptedPod("driver", driver) === undefined;
}

/** The finding for a driver that ended because its pod was deleted: its own words are only about the signal. */
export function deletedDriver(driver: PodState): Finding {
  const ended = driverTermination(driver, driver.sparkContainer);
  const code = ended === undefined ? "" : ` (${exitCodeText(ended.exitCode)})`;
  return findingOf({ role: "driver", pod: driver }, "failure", {
    cause: "Deleted",
    word: "Deleted",
    summary: `the driver pod was deleted while the application ran${code}`,
  });
}
