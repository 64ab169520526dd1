import type { PodChanges } from "@kindling/core-spec";
import type { RoleFields } from "../role-fields.ts";

export function scheduling(given: RoleFields): Partial<PodChanges> {
  const { priorityClassName = "", nodeSelector = {}, affinity, tolerations = [] } = given.fields;
  const schedulerName = schedulerOf(given);
  return {
    nodeSelector,
    tolerations,
    spec: {
      ...(priorityClassName !== "" && { priorityClassName }),
      ...(schedulerName !== "" && { schedulerName }),
      ...(affinity !== undefined && { affinity }),
    },
    // Admission computes these from the class, and refuses other values.
    cleared: priorityClassName === "" ? [] : ["priority", "preemptionPolicy"],
  };
}

/** A batch scheduler wins over the role's own scheduler; an empty text is none. */
export function schedulerOf({ application, fields }: RoleFields): string {
  return application.spec.batchScheduler ?? fields.schedulerName ?? "";
}
