import type { AdmissionPlan } from "@kindling/admission";
import type { Policy } from "../../src/index.ts";

/** Admits executors for whose names the function returns true, and starts every driver. */
export function admitting(isAdmitted: (executor: string) => boolean): Policy {
  return ({ applications }) => ({
    decisions: applications.flatMap(({ id: application, driver, waiting }): AdmissionPlan["decisions"] => [
      ...(driver.state === "gated" ? [{ kind: "start", application, node: undefined } as const] : []),
      ...waiting
        .filter(({ id }) => isAdmitted(id))
        .map(({ id: executor }) => ({ kind: "admit", application, executor, node: undefined }) as const),
    ]),
    waits: [],
  });
}

/** Admits all executors or none. */
export class Door {
  isOpen = false;
  readonly policy: Policy = admitting(() => this.isOpen);
}

/** Admits nothing: there are too few CPUs. */
export const NOBODY: Policy = ({ applications }) => ({
  decisions: [],
  waits: applications.map(({ id: application, waiting }) => ({
    ...{
      application,
      queue: "etl",
      what: "surplus",
      executors: waiting.length,
      ahead: 0,
      roomToCome: false,
      holders: [],
      classes: [],
    },
    needs: { cpu: 4000 },
    reason: { kind: "capacity", left: { cpu: 0 } },
  })),
});
