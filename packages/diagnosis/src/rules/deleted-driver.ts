import { driverTermination } from "../evidence/containers.ts";
import type { PodState } from "../evidence/pod-state.ts";
import type { Finding } from "../finding.ts";
import { disruptedPod } from "./disrupted-pod.ts";
import { exitCodeText } from "./exit-code.ts";
import { findingOf } from "./role.ts";

/** Whether somebody has deleted the driver pod: not the cluster, which says that it did. */
export function isDeletedByUser(driver: PodState): boolean {
  return driver.deleting && disruptedPod("driver", driver) === undefined;
}

/** A driver that was ended by its pod's deletion: what it says of that is about the signal alone. */
export function deletedDriver(driver: PodState): Finding {
  const ended = driverTermination(driver, driver.sparkContainer);
  const code = ended === undefined ? "" : ` (${exitCodeText(ended.exitCode)})`;
  return findingOf({ role: "driver", pod: driver }, "failure", {
    cause: "Deleted",
    word: "Deleted",
    summary: `the driver pod was deleted while the application ran${code}`,
  });
}
