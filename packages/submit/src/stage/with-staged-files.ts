import {
  isKindlingError,
  messageOf,
  SPARK_APP_ID_LABEL,
  SPARK_ROLE_DRIVER,
  SPARK_ROLE_LABEL,
  type Redactor,
  type Submission,
} from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { clusterError, withHint } from "../cluster/cluster-error.ts";
import type { CreatedPod } from "../apply/created-pod.ts";
import type { SubmissionEvent } from "../events.ts";
import type { Prepared, UnstagedFiles } from "../plan/prepare.ts";
import { stageFiles, type StagedFiles } from "./stage-files.ts";
import { submitterToken } from "./submitter-token.ts";

export interface WithStagedFilesOptions {
  /** Learns what opens the files. */
  readonly secrets: Redactor;
  readonly emit: (event: SubmissionEvent) => void;
  readonly signal: AbortSignal | undefined;
  /** Whether other calls may make the same application at the same time, and rely on what this one made. */
  readonly once: boolean;
  /** Makes the application's objects. */
  readonly create: (staged: Prepared) => Promise<CreatedPod>;
}

/**
 * Stages the files of a submission, has its objects made, and binds the files to the driver pod. If the objects cannot
 * be made, the files are given up, unless another call may rely on them.
 */
export async function withStagedFiles(
  unstaged: UnstagedFiles,
  { namespace, appId, env }: Submission,
  client: KubeClient,
  { emit, signal, once, secrets, create }: WithStagedFilesOptions,
): Promise<CreatedPod> {
  const { conf, dependencies } = unstaged;
  const token = submitterToken(conf, (ask) => ask(client, namespace), Date.now);
  const credentials = { env, submitterToken: token, secrets };
  const staged = await stageFiles(conf, credentials, dependencies, {
    namespace,
    labels: { [SPARK_APP_ID_LABEL]: appId, [SPARK_ROLE_LABEL]: SPARK_ROLE_DRIVER },
    onRetry: (message) => emit({ type: "notice", message: `staging: ${message}; trying again` }),
    onProgress: (progress) => emit({ type: "staging", progress }),
    signal,
  });
  secrets.hide(staged.bundle.secret);
  try {
    const pod = await createOrDiscard(staged, once, () => create(unstaged.withBundle(staged.bundle)));
    await bind(staged, pod, emit);
    return pod;
  } finally {
    staged.close();
  }
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
    // The server drops what nobody uses anyway, after a while.
    await staged.discard().catch(() => undefined);
    throw error;
  }
}

/** Without the binding the server finds the owner by its labels, so that a failure costs little. */
async function bind(staged: StagedFiles, pod: CreatedPod, emit: (event: SubmissionEvent) => void): Promise<void> {
  try {
    await staged.bind(pod.uid);
  } catch (error) {
    if (!isKindlingError(error)) throw error;
    emit({ type: "notice", message: `the staging server could not be told of the driver pod: ${messageOf(error)}` });
  }
}
