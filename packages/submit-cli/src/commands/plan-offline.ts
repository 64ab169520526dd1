import { sparkVersionOf } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import {
  configure,
  gatherConfigured,
  noticesOf,
  plan,
  resolveSparkVersion,
  type Configuration,
  type ConfigurationRequest,
  type Gathered,
  type SubmissionPlan,
} from "@kindling/submit";
import type { CommandContext } from "@kindling/command-line";
import { refuseLaterFlags, type SubmitArguments } from "@kindling/spark-arguments";

/** The configuration of a request. Notices are printed here, also if it fails, and not passed on. */
export function configureHere(
  request: ConfigurationRequest,
  outside: Outside,
  notice: (message: string) => void,
): Configuration {
  try {
    const configuration = configure(request, outside, "this-machine");
    configuration.notices.forEach(notice);
    return { ...configuration, notices: [] };
  } catch (error) {
    noticesOf(error).forEach(notice);
    throw error;
  }
}

/**
 * Refuses flags that the spark-submit of the wanted version does not have.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function refuseFlagsOfLater({ laterFlags }: SubmitArguments, { entries, env }: Configuration): void {
  if (laterFlags.length === 0) return;
  // Notices about the version are given where the submission is gathered.
  refuseLaterFlags(laterFlags, sparkVersionOf(resolveSparkVersion(entries, env, () => {})));
}

/** A submission that is planned, and what it was planned from. */
export interface Planned {
  readonly gathered: Gathered;
  readonly plan: SubmissionPlan;
}

/**
 * Plans a submission without a cluster, in order to show it.
 *
 * @param notice called with each notice once
 */
export async function planOffline(
  configuration: Configuration,
  request: ConfigurationRequest,
  { outside, secrets, signal }: CommandContext,
  notice: (message: string) => void,
): Promise<Planned> {
  try {
    const options = { connection: { kind: "none" }, tell: notice, signal, secrets } as const;
    const gathered = await gatherConfigured(configuration, request, outside, "this-machine", options);
    const planned = plan(gathered.input, gathered.steps);
    planned.notices.forEach(notice);
    return { gathered, plan: planned };
  } catch (error) {
    noticesOf(error).forEach(notice);
    throw error;
  }
}
