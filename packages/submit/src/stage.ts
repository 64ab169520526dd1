import { createRedactor, REDACTED } from "@kindling/core-spec";
import { linkedAbort, type KubeClient } from "@kindling/kube";
import { systemOutside } from "@kindling/outside";
import type { ApplyOptions } from "./apply/apply.ts";
import type { SubmissionEvent } from "./events.ts";
import type { SubmissionPlan } from "./plan/submission-plan.ts";
import { cleanError } from "./secrets/clean-error.ts";
import { cleanEvent } from "./secrets/clean-event.ts";

/**
 * Stages the files of a plan and fills them into it, without creating anything in the cluster. Anybody can apply the result,
 * as long as the staging server keeps files that no pod uses yet. A plan without files to stage stays as it is.
 *
 * @throws KindlingError with a message for the user
 */
export async function stage(
  plan: SubmissionPlan,
  client: KubeClient,
  options: ApplyOptions = {},
): Promise<SubmissionPlan> {
  const { onEvent, secrets = createRedactor(REDACTED), outside = systemOutside(), staging: access } = options;
  if (plan.staging === undefined) return plan;
  const emit = (event: SubmissionEvent): void => onEvent?.(cleanEvent(event, secrets));
  const interruption = linkedAbort(options.signal);
  const { signal } = interruption;
  try {
    const { stagePlan } = await import("./stage/with-staged-files.ts");
    const { clock } = outside;
    const { staged, filled } = await stagePlan(plan, plan.staging, client, { access, clock, secrets, emit, signal });
    staged.close();
    return filled;
  } catch (error) {
    throw cleanError(error, secrets);
  } finally {
    interruption.release();
  }
}
