import type { SparkConf, Step } from "@kindling/core-spec";
import { REPORT_INTERVAL, WAIT_APP_COMPLETION } from "../keys/follow-keys.ts";
import { Notices } from "../notices.ts";
import type { PlanInput } from "./plan-input.ts";
import type { PlannedApplication, SubmissionPlan } from "./submission-plan.ts";
import { workOut, type WorkedOut } from "./work-out.ts";

const DEFAULT_INTERVAL_MS = 1000;

/**
 * Works out what a submission will create, and changes nothing: the same input gives the same plan on any machine.
 *
 * @param steps steps from outside, which run after the built-in ones
 * @throws KindlingError if the submission is not possible; `noticesOf` gives the notices that were found before
 */
export function plan(input: PlanInput, steps: readonly Step[] = []): SubmissionPlan {
  const notices = new Notices(input.notices);
  try {
    return planOf(workOut(input, steps, notices), notices);
  } catch (error) {
    notices.leaveWith(error);
    throw error;
  }
}

/** The plan for a submission that is worked out. */
export function planOf(worked: WorkedOut, notices: Notices): SubmissionPlan {
  const { input, submission, staging, uploads, objects, provenance } = worked;
  const { sparkVersion, entries, env, system, fallbacks } = input;
  return {
    application: applicationOf(worked),
    once: input.submissionId !== undefined,
    staging,
    uploads,
    objects,
    provenance,
    follow: followOf(submission.conf),
    notices: notices.all,
    configuration: { sparkVersion, entries, env, system, fallbacks },
  };
}

/** Without waiting, the interval is not used, and Spark does not read it either. */
function followOf(conf: SparkConf): SubmissionPlan["follow"] {
  const wait = conf.get(WAIT_APP_COMPLETION);
  return { wait, intervalMs: wait ? conf.get(REPORT_INTERVAL) : DEFAULT_INTERVAL_MS };
}

function applicationOf({ submission, objects }: WorkedOut): PlannedApplication {
  const { appName: name, appId: id, namespace } = submission;
  const driverPod = objects.pod.metadata?.name ?? "";
  return {
    name,
    id,
    submissionId: `${namespace}:${driverPod}`,
    namespace,
    driverPod,
    driverContainer: objects.driverContainer,
  };
}
