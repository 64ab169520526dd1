import type { SparkConf, Step } from "@kindling/core-spec";
import { smallFiles, stagedDependencies, type Dependency, type StagedBundle } from "@kindling/steps";
import { confOf, planSubmission, submissionNames, type SubmissionInput, type SubmissionPlan } from "./plan.ts";
import { planDependencies } from "./dependencies.ts";

/** A submission that is worked out. */
export interface Prepared {
  readonly plan: SubmissionPlan;
  /** Steps behind the built-in ones. */
  readonly contributed: readonly Step[];
  /** What has to be uploaded to a staging server before the submission is complete. */
  readonly unstaged: UnstagedFiles | undefined;
}

/** Dependencies on this machine. Until they are staged, the plan says something else in the place of their bundle. */
export interface UnstagedFiles {
  readonly conf: SparkConf;
  readonly dependencies: readonly Dependency[];
  /** The submission with the bundle that was made of them. */
  withBundle(bundle: StagedBundle): Prepared;
}

/**
 * Works out what a submission will create.
 *
 * @param placeholder stands for the bundle as long as nothing is staged
 */
export async function prepareSubmission(
  gathered: SubmissionInput,
  contributed: readonly Step[],
  placeholder: (conf: SparkConf) => Promise<StagedBundle>,
): Promise<Prepared> {
  const planned = planDependencies(gathered);
  if (planned.kind === "upload-path") return prepared(gathered, contributed);
  const { input } = planned;
  const secretName = `${submissionNames(input).resourceNamePrefix}-dependencies`;
  if (planned.kind === "secret") return prepared(input, [...contributed, smallFiles(planned.files, secretName)]);

  const { dependencies } = planned;
  const withBundle = (bundle: StagedBundle | undefined): Prepared =>
    prepared(input, [...contributed, stagedDependencies({ dependencies, bundle, secretName })]);
  const local = dependencies.filter(({ from }) => "path" in from);
  if (local.length === 0) return withBundle(undefined);
  const conf = confOf(input);
  return { ...withBundle(await placeholder(conf)), unstaged: { conf, dependencies: local, withBundle } };
}

function prepared(input: SubmissionInput, contributed: readonly Step[]): Prepared {
  return { plan: planSubmission(input, contributed), contributed, unstaged: undefined };
}
