import type { Outside } from "@kindling/outside";
import {
  configure,
  gatherConfigured,
  noticesOf,
  plan,
  type Configuration,
  type ConfigurationRequest,
  type Gathered,
  type SubmissionPlan,
} from "@kindling/submit";
import type { CommandContext } from "@kindling/command-line";

/** The configuration of a request. What was worth knowing before it failed is told. */
export function configureHere(
  request: ConfigurationRequest,
  outside: Outside,
  notice: (message: string) => void,
): Configuration {
  try {
    return configure(request, outside, "this-machine");
  } catch (error) {
    noticesOf(error).forEach(notice);
    throw error;
  }
}

/** A submission that is planned, and what it was planned from. */
export interface Planned {
  readonly gathered: Gathered;
  readonly plan: SubmissionPlan;
}

/**
 * Plans a submission without a cluster, for showing it.
 *
 * @param notice told what the user should know, each thing once
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
