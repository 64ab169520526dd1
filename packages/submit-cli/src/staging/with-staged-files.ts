import {
  isKindlingError,
  messageOf,
  SPARK_APP_ID_LABEL,
  SPARK_ROLE_DRIVER,
  SPARK_ROLE_LABEL,
  type Submission,
} from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { CreatedPod } from "../apply/created-pod.ts";
import type { SubmissionEvent } from "../events.ts";
import type { Prepared, UnstagedFiles } from "../plan/prepare.ts";
import { stageFiles, type StagedFiles } from "./stage-files.ts";
import { submitterToken } from "./submitter-token.ts";

export interface WithStagedFilesOptions {
  readonly emit: (event: SubmissionEvent) => void;
  readonly signal: AbortSignal | undefined;
  /** Makes the application's objects. */
  readonly create: (staged: Prepared) => Promise<CreatedPod>;
}

/**
 * Stages the files of a submission, has its objects made, and binds the files to the driver pod. If the objects cannot
 * be made, the files are given up.
 */
export async function withStagedFiles(
  unstaged: UnstagedFiles,
  { namespace, appId, env }: Submission,
  client: KubeClient,
  { emit, signal, create }: WithStagedFilesOptions,
): Promise<CreatedPod> {
  const { conf, dependencies } = unstaged;
  const credentials = { env, submitterToken: submitterToken(conf, (ask) => ask(client, namespace), Date.now) };
  const staged = await stageFiles(conf, credentials, dependencies, {
    namespace,
    labels: { [SPARK_APP_ID_LABEL]: appId, [SPARK_ROLE_LABEL]: SPARK_ROLE_DRIVER },
    onRetry: (message) => emit({ type: "notice", message: `staging: ${message}; trying again` }),
    onProgress: (progress) => emit({ type: "staging", progress }),
    signal,
  });
  try {
    const pod = await createOrDiscard(staged, () => create(unstaged.withBundle(staged.bundle)));
    await bind(staged, pod, emit);
    return pod;
  } finally {
    staged.close();
  }
}

async function createOrDiscard(staged: StagedFiles, create: () => Promise<CreatedPod>): Promise<CreatedPod> {
  try {
    return await create();
  } catch (error) {
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
