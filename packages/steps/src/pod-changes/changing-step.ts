import type { PodChanges, Step } from "@kindling/core-spec";
import { onDriver, onExecutor } from "../spark-pod.ts";
import { applyChanges } from "./apply-changes.ts";
import { overridesOf } from "./overrides-of.ts";

/** What a step does to pods, if that depends on nothing. */
export interface ChangesByRole {
  readonly driver?: PodChanges | undefined;
  readonly executor?: PodChanges | undefined;
}

/**
 * A step that does the same to every pod of a role. Its executor half is plain data: a gateway applies it without having the
 * step installed.
 *
 * @param name in kebab-case
 */
export function changingStep(name: string, { driver, executor }: ChangesByRole): Step {
  return {
    name,
    overrides: [
      ...(driver === undefined ? [] : overridesOf(driver, "driver")),
      ...(executor === undefined ? [] : overridesOf(executor, "executor")),
    ],
    ...(driver && {
      configureDriver: (spec) => onDriver(spec, (sparkPod) => applyChanges(sparkPod, driver)),
    }),
    ...(executor && {
      executorChanges: executor,
      configureExecutor: (spec) => onExecutor(spec, (sparkPod) => applyChanges(sparkPod, executor)),
    }),
  };
}
