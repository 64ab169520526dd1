import { compareSpecs, covers, type Change } from "./additivity.ts";
import { emptyDriverSpec, type KubernetesDriverSpec } from "./driver-spec.ts";
import { isKindlingError, KindlingError, messageOf } from "./errors.ts";
import { emptyExecutorSpec, type KubernetesExecutorSpec } from "./executor-spec.ts";
import type { Step } from "./step.ts";
import type { ExecutorRequest, Submission } from "./submission.ts";

/** Which step set each field last: paths such as `driverContainer.env[SPARK_USER]` to step names. */
export type Provenance = ReadonlyMap<string, string>;

/** The name for a pod template as the origin of a field. */
export const TEMPLATE = "pod-template";

/** The name for a running driver as the origin of a field. */
export const DRIVER = "driver";

/** The name for the configuration that steps start with as the origin of an entry. */
export const CONFIGURATION = "configuration";

export interface StepRun<Spec> {
  readonly spec: Spec;
  readonly provenance: Provenance;
}

/**
 * Runs the driver halves of steps on a spec, in order.
 *
 * @throws KindlingError `STEP_NOT_ADDITIVE` if a step removes or changes what another one set, `STEP_INVALID` if it returns
 *   no spec, `STEP_FAILED` for any other error of a step; errors that are made for the user are passed on unchanged
 */
export function runDriverSteps(
  initial: KubernetesDriverSpec,
  submission: Submission,
  steps: readonly Step[],
): StepRun<KubernetesDriverSpec> {
  const provenance = new Map<string, string>();
  const { driverSparkConf } = initial;
  record(compareSpecs({}, { driverSparkConf }), CONFIGURATION, provenance);
  record(compareSpecs(emptyDriverSpec(driverSparkConf), initial), TEMPLATE, provenance);
  return fold(initial, provenance, steps, ["driverPod", "driverContainer", "driverSparkConf"], (step, spec) =>
    step.configureDriver?.(spec, submission),
  );
}

/**
 * Runs the executor halves of steps on a spec, as {@link runDriverSteps} does for drivers.
 *
 * @param setBy the origin of what is in the spec before the first step
 */
export function runExecutorSteps(
  initial: KubernetesExecutorSpec,
  executor: ExecutorRequest,
  steps: readonly Step[],
  setBy: typeof TEMPLATE | typeof DRIVER = TEMPLATE,
): StepRun<KubernetesExecutorSpec> {
  const provenance = new Map<string, string>();
  record(compareSpecs(emptyExecutorSpec(), initial), setBy, provenance);
  const required = ["executorPod", "executorContainer", "executorKubernetesResources"] as const;
  return fold(initial, provenance, steps, required, (step, spec) => step.configureExecutor?.(spec, executor));
}

function fold<Spec extends object>(
  initial: Spec,
  provenance: Map<string, string>,
  steps: readonly Step[],
  required: readonly (keyof Spec & string)[],
  apply: (step: Step, spec: Spec) => Spec | undefined,
): StepRun<Spec> {
  let spec = initial;
  for (const step of steps) {
    const next = run(step, () => apply(step, spec));
    if (next === undefined || next === spec) continue;
    if (typeof next !== "object" || next === null) throw invalidReturn(step, "no spec");
    for (const field of required) {
      if (typeof next[field] !== "object" || next[field] === null) throw invalidReturn(step, `a spec without ${field}`);
    }
    for (const [field, value] of Object.entries(next) as [string, unknown][]) {
      if (Array.isArray(value) && !value.every(isNamedResource))
        throw invalidReturn(step, `a resource without apiVersion, kind or name in ${field}`);
    }
    const changes = compareSpecs(spec, next);
    for (const change of changes) refuseLoss(change, step, provenance);
    record(changes, step.name, provenance);
    spec = next;
  }
  return { spec, provenance };
}

function invalidReturn(step: Step, what: string): KindlingError {
  return new KindlingError("STEP_INVALID", `step ${step.name} returned ${what}`, {
    hint: "a step returns the spec that it was given with its own additions",
  });
}

function isNamedResource(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { apiVersion, kind, metadata } = value as {
    apiVersion?: unknown;
    kind?: unknown;
    metadata?: { name?: unknown };
  };
  return [apiVersion, kind, metadata?.name].every((text) => typeof text === "string" && text !== "");
}

function run<T>(step: Step, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (isKindlingError(error)) throw error;
    throw new KindlingError("STEP_FAILED", `step ${step.name} failed: ${messageOf(error)}`, { cause: error });
  }
}

function refuseLoss(change: Change, step: Step, provenance: Provenance): void {
  if (change.kind === "added" || (step.overrides ?? []).some((pattern) => covers(pattern, change.path))) return;
  const setBy = ownerOf(change.path, provenance);
  const owner =
    setBy === undefined
      ? "another step"
      : [TEMPLATE, DRIVER, CONFIGURATION].includes(setBy)
        ? `the ${setBy}`
        : `step ${setBy}`;
  const verb = change.kind === "removed" ? "drops" : "changes";
  throw new KindlingError("STEP_NOT_ADDITIVE", `step ${step.name} ${verb} ${change.path}, which ${owner} set`, {
    hint: "steps may only add; to replace a pod template's field, declare it under `overrides`",
  });
}

/** The step that set a path; otherwise the step that set the nearest thing around or under it; `undefined` if no step did. */
export function ownerOf(path: string, provenance: Provenance): string | undefined {
  return ownersIn(provenance)(path);
}

/** The same for many paths: the recorded origins are read only once. */
export function ownersIn(provenance: Provenance): (path: string) => string | undefined {
  const under = new Map<string, string>();
  for (const [known, owner] of provenance) {
    for (let around = parentOf(known); around !== "" && !under.has(around); around = parentOf(around)) {
      under.set(around, owner);
    }
  }
  return (path) => {
    for (let around = path; around !== ""; around = parentOf(around)) {
      const owner = provenance.get(around);
      if (owner !== undefined) return owner;
    }
    return under.get(path);
  };
}

function parentOf(path: string): string {
  const cut = Math.max(path.lastIndexOf("."), path.lastIndexOf("["));
  return cut < 0 ? "" : path.slice(0, cut);
}

function record(changes: readonly Change[], step: string, provenance: Map<string, string>): void {
  for (const change of changes) {
    if (change.kind === "removed") provenance.delete(change.path);
    else provenance.set(change.path, step);
  }
}
