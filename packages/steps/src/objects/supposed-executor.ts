import { sparkConf, type ExecutorRequest, type Submission } from "@kindling/core-spec";
import { runningDriverConf } from "./running-driver-conf.ts";

/** What is not known about an executor before its driver runs. */
export type ExecutorSample = Pick<ExecutorRequest, "executorId" | "resourceNamePrefix" | "driverPod">;

/**
 * An executor of a submission, as far as it is known before the driver runs, with sample values for the rest.
 *
 * @param entries what the driver starts with
 */
export function supposedExecutor(
  submission: Submission,
  sample: ExecutorSample,
  entries: Readonly<Record<string, string>> = submission.conf.entries,
): ExecutorRequest {
  const { sparkVersion, appId, appName, user, env, ids, notice } = submission;
  return {
    sparkVersion,
    conf: sparkConf(runningDriverConf(entries, sparkVersion), { sparkVersion, env: (name) => env[name] }),
    appId,
    appName,
    resourceProfile: { id: 0 },
    user,
    env,
    confFiles: { configMapName: "", names: [] },
    authSecret: undefined,
    ids,
    notice,
    ...sample,
  };
}
