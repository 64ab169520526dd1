import { appNameLabel, createRedactor, REDACTED, SPARK_APP_NAME_LABEL, type Redactor } from "@kindling/core-spec";
import { linkedAbort, type KubeClient } from "@kindling/kube";
import { systemOutside, type Outside } from "@kindling/outside";
import type { Application, SubmissionEvent } from "../events.ts";
import type { StagingAccess } from "../gather/staging/staging-access.ts";
import { confOf } from "../plan/plan-input.ts";
import type { SubmissionPlan } from "../plan/submission-plan.ts";
import { cleanError } from "../secrets/clean-error.ts";
import { cleanEvent } from "../secrets/clean-event.ts";
import { createApplication } from "./create-application.ts";
import { differences } from "./differences.ts";
import type { CreatedPod } from "../cluster/created-pod.ts";

export interface ApplyOptions {
  /** How to reach the staging server, if the plan has files for it. */
  readonly staging?: StagingAccess | undefined;
  readonly onEvent?: ((event: SubmissionEvent) => void) | undefined;
  /**
   * Stops the submission. Objects that were created so far are deleted, unless the submission has an id, because another call
   * may rely on them.
   */
  readonly signal?: AbortSignal | undefined;
  readonly outside?: Pick<Outside, "clock" | "random">;
  /** Receives the secrets that open staged files; errors and events do not contain them. */
  readonly secrets?: Redactor;
}

export interface Applied {
  readonly application: Application;
  /** Whether an earlier submission with the same id created the application. */
  readonly existed: boolean;
}

/**
 * Carries out a plan: uploads the files of this machine to where pods will find them, then creates the objects.
 *
 * @throws KindlingError with a message for the user; its hint names what is left in the cluster
 */
export async function apply(plan: SubmissionPlan, client: KubeClient, options: ApplyOptions = {}): Promise<Applied> {
  const { onEvent, secrets = createRedactor(REDACTED), outside = systemOutside() } = options;
  const emit = (event: SubmissionEvent): void => onEvent?.(cleanEvent(event, secrets));
  const interruption = linkedAbort(options.signal);
  const { signal } = interruption;
  try {
    const pod =
      plan.staging === undefined
        ? await copyAndCreate(plan, client, { emit, signal, outside })
        : await (
            await import("../stage/with-staged-files.ts")
          ).withStagedFiles(plan, plan.staging, client, {
            access: options.staging,
            clock: outside.clock,
            emit,
            secrets,
            signal,
            create: (filled) => copyAndCreate(filled, client, { emit, signal, outside }),
          });
    const { existed, state, uid } = pod;
    const application = { ...plan.application, driverPodUid: uid, name: nameOf(pod, plan.application.name) };
    emit({ type: "submitted", application, existed, state });
    return { application, existed };
  } catch (error) {
    throw cleanError(error, secrets);
  } finally {
    interruption.release();
  }
}

/** The existing application may have another name than the one in this request. */
function nameOf({ existed, state }: CreatedPod, asked: string): string {
  const label = state.labels[SPARK_APP_NAME_LABEL];
  return existed && label !== undefined && label !== appNameLabel(asked) ? label : asked;
}

interface CopyOptions {
  readonly emit: (event: SubmissionEvent) => void;
  readonly signal: AbortSignal;
  readonly outside: Pick<Outside, "clock" | "random">;
}

/** A user who repeats a submission expects what the new request says, but gets what the first one said. */
async function tellDifferences(
  client: KubeClient,
  objects: SubmissionPlan["objects"],
  pod: CreatedPod,
  emit: CopyOptions["emit"],
): Promise<void> {
  const found = await differences(client, objects, pod);
  if (found.length === 0) return;
  emit({ type: "notice", message: "the application of this submission id was submitted with other arguments:" });
  const { namespace, name } = pod;
  const advice = `to submit this one, take another id, or remove that one first: kindling kill ${namespace}:${name}`;
  for (const message of [...found, advice]) emit({ type: "notice", message });
}

async function copyAndCreate(
  { uploads, configuration, objects, once }: SubmissionPlan,
  client: KubeClient,
  { emit, signal, outside }: CopyOptions,
): Promise<CreatedPod> {
  if (uploads.length > 0) {
    const { checkUploads, upload } = await import("../upload/upload.ts");
    const conf = confOf(configuration);
    await checkUploads(uploads);
    for (const file of uploads) {
      emit({ type: "uploading", source: file.source, destination: file.destination });
      await upload(file, conf, { ...outside, env: configuration.env }, signal);
    }
  }
  const pod = await createApplication(client, objects, { once, signal });
  if (pod.existed) await tellDifferences(client, objects, pod, emit);
  for (const message of pod.leftOut) emit({ type: "notice", message });
  return pod;
}
