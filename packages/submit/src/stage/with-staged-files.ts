import {
  isKindlingError,
  KindlingError,
  messageOf,
  SPARK_APP_ID_LABEL,
  SPARK_ROLE_DRIVER,
  SPARK_ROLE_LABEL,
  withHint,
  type Redactor,
} from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { CreatedPod } from "../cluster/created-pod.ts";
import { clusterError } from "../cluster/cluster-error.ts";
import type { SubmissionEvent } from "../events.ts";
import type { StagingAccess } from "../gather/staging/staging-access.ts";
import { STAGING_URI } from "../keys/staging-keys.ts";
import { fillBundle } from "../plan/fill-bundle.ts";
import type { StagingPlan, SubmissionPlan } from "../plan/submission-plan.ts";
import { stageFiles, type StagedFiles } from "./stage-files.ts";
import { submitterToken } from "./submitter-token.ts";

export interface StagePlanOptions {
  readonly access: StagingAccess | undefined;
  readonly clock: Clock;
  /** Receives the secrets that open the files. */
  readonly secrets: Redactor;
  readonly emit: (event: SubmissionEvent) => void;
  readonly signal: AbortSignal;
}

export interface WithStagedFilesOptions extends StagePlanOptions {
  /** Creates the application's objects. */
  readonly create: (filled: SubmissionPlan) => Promise<CreatedPod>;
}

/**
 * Stages the files of a plan, creates the plan's objects with the result, and binds the files to the driver pod. If the
 * objects cannot be created, the files are given up, unless another call may rely on them.
 */
export async function withStagedFiles(
  plan: SubmissionPlan,
  staging: StagingPlan,
  client: KubeClient,
  options: WithStagedFilesOptions,
): Promise<CreatedPod> {
  const { staged, filled } = await stagePlan(plan, staging, client, options);
  try {
    const pod = await createOrDiscard(staged, plan.once, () => options.create(filled));
    await bind(staged, pod, options.emit);
    return pod;
  } finally {
    staged.close();
  }
}

/** Stages the files of a plan, and fills the result into the plan. The caller closes the connection. */
export async function stagePlan(
  plan: SubmissionPlan,
  { files }: StagingPlan,
  client: KubeClient,
  { access, clock, secrets, emit, signal }: StagePlanOptions,
): Promise<{ readonly staged: StagedFiles; readonly filled: SubmissionPlan }> {
  if (access === undefined) {
    throw new KindlingError("CONF_MISSING", "the plan has files to stage, and no staging server is known", {
      hint: `set ${STAGING_URI.key}`,
    });
  }
  const { namespace, id } = plan.application;
  const token = submitterToken(access, (ask) => ask(client, namespace), clock);
  const staged = await stageFiles(access, { submitterToken: token, secrets, cluster: () => client.access }, files, {
    namespace,
    labels: { [SPARK_APP_ID_LABEL]: id, [SPARK_ROLE_LABEL]: SPARK_ROLE_DRIVER },
    onRetry: (message) => emit({ type: "notice", message: `staging: ${message}; trying again` }),
    onProgress: (progress) => emit({ type: "staging", progress }),
    signal,
  });
  secrets.hide(staged.bundle.secret);
  return { staged, filled: fillBundle(plan, staged.bundle) };
}

async function createOrDiscard(
  staged: StagedFiles,
  once: boolean,
  create: () => Promise<CreatedPod>,
): Promise<CreatedPod> {
  try {
    return await create();
  } catch (error) {
    if (once)
      throw withHint(clusterError(error), "the staged files stay as long as a pod of the application may use them");
    // The server deletes unused files after a while anyway.
    await staged.discard().catch(() => undefined);
    throw error;
  }
}

/** Without the binding the server finds the owner by its labels, so a failure does little harm. */
async function bind(staged: StagedFiles, pod: CreatedPod, emit: (event: SubmissionEvent) => void): Promise<void> {
  try {
    await staged.bind(pod.uid);
  } catch (error) {
    if (!isKindlingError(error)) throw error;
    emit({ type: "notice", message: `the staging server could not be told of the driver pod: ${messageOf(error)}` });
  }
}
