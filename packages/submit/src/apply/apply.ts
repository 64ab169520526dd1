import { createRedactor, REDACTED, type Redactor } from "@kindling/core-spec";
import { linkedAbort, type KubeClient } from "@kindling/kube";
import { systemOutside, type Outside } from "@kindling/outside";
import type { Application, SubmissionEvent } from "../events.ts";
import type { StagingAccess } from "../gather/staging/staging-access.ts";
import { confOf } from "../plan/plan-input.ts";
import type { SubmissionPlan } from "../plan/submission-plan.ts";
import { cleanError } from "../secrets/clean-error.ts";
import { cleanEvent } from "../secrets/clean-event.ts";
import { createApplication } from "./create-application.ts";
import type { CreatedPod } from "../cluster/created-pod.ts";

export interface ApplyOptions {
  /** How to reach the staging server, where the plan has files for it. */
  readonly staging?: StagingAccess | undefined;
  readonly onEvent?: ((event: SubmissionEvent) => void) | undefined;
  /**
   * Stops the submission: what is half made is taken away, unless it has a submission id, so that another call may rely
   * on it.
   */
  readonly signal?: AbortSignal | undefined;
  readonly outside?: Pick<Outside, "clock" | "random">;
  /** Learns what opens staged files; errors and events are without what it knows. */
  readonly secrets?: Redactor;
}

export interface Applied {
  readonly application: Application;
  /** Whether an earlier submission with the same id had made it. */
  readonly existed: boolean;
}

/**
 * Does what a plan says: brings the files of this machine to where pods will find them, then makes the objects.
 *
 * @throws KindlingError whose message is for the user; what is left in the cluster then stands in its hint
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
    const application = { ...plan.application, driverPodUid: uid };
    emit({ type: "submitted", application, existed, state });
    return { application, existed };
  } catch (error) {
    throw cleanError(error, secrets);
  } finally {
    interruption.release();
  }
}

interface CopyOptions {
  readonly emit: (event: SubmissionEvent) => void;
  readonly signal: AbortSignal;
  readonly outside: Pick<Outside, "clock" | "random">;
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
  return createApplication(client, objects, { once, signal });
}
