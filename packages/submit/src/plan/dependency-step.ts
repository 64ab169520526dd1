import type { LocalFiles, SparkConf, Step } from "@kindling/core-spec";
import {
  bundlePlaces,
  handedDependencies,
  mountedDependencies,
  smallFiles,
  stagedDependencies,
  type Dependency,
  type HandedDependencies,
  type StagedBundle,
} from "@kindling/steps";
import { STAGING_URI } from "../keys/staging-keys.ts";
import { internalStagingUri } from "../keys/staging-place.ts";
import { planDependencies } from "./dependencies.ts";
import { confOf, type PlanInput } from "./plan-input.ts";
import type { StagingPlan } from "./submission-plan.ts";

/** The values of a bundle that only a staging server knows. */
export type BundleValues = Pick<StagedBundle, "id" | "secret" | "files">;

/** What the objects contain instead of the bundle's values until these are known. */
const PLACEHOLDER: BundleValues = { id: "<bundle id>", secret: "<bundle secret>", files: {} };

/** How the dependencies of a submission travel, if Kindling does more than Spark. */
export interface TravellingDependencies {
  /** The input without the dependencies that Spark must not bring itself. */
  readonly input: PlanInput;
  /** The step that brings them. */
  readonly step: Step | undefined;
  /** What the gateway needs to run the executor half of the step. */
  readonly handed: HandedDependencies | undefined;
  readonly staging: StagingPlan | undefined;
}

/**
 * @param prefix of the names of the submission's objects
 * @param bundle the values of the bundle, if they are known already
 */
export function travellingDependencies(
  given: PlanInput,
  files: LocalFiles,
  prefix: string,
  bundle: BundleValues = PLACEHOLDER,
): TravellingDependencies {
  const planned = planDependencies(given, files);
  const secretName = `${prefix}-dependencies`;
  switch (planned.kind) {
    case "upload-path":
      return { input: given, step: undefined, handed: undefined, staging: undefined };
    case "secret":
      return {
        input: planned.input,
        step: smallFiles(planned.files, secretName),
        handed: handedDependencies("small-files", { dependencies: planned.files, secretName, secretEntries: [] }),
        staging: undefined,
      };
    case "localizer": {
      const { input, dependencies } = planned;
      const staging = stagingPlan(confOf(input), dependencies, secretName, input.stagingCa);
      const known = staging && { ...bundle, server: staging.server, ca: staging.ca };
      const localized = { dependencies, bundle: known, secretName };
      const handed = handedDependencies("staged-dependencies", mountedDependencies(localized));
      return { input, step: stagedDependencies(localized), handed, staging };
    }
  }
}

function stagingPlan(
  conf: SparkConf,
  dependencies: readonly Dependency[],
  secretName: string,
  ca: string | undefined,
): StagingPlan | undefined {
  const files = dependencies.filter(({ from }) => "path" in from);
  if (files.length === 0) return undefined;
  return {
    files,
    places: bundlePlaces(conf, dependencies, secretName),
    server: internalStagingUri(conf, conf.get(STAGING_URI) ?? ""),
    ca,
  };
}
