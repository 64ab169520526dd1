import { checkSubmission, type CheckResult } from "@kindling/submit/check";
import {
  connectionFor,
  gatherConfigured,
  hidePlanned,
  plan,
  type Configuration,
  type ConfigurationRequest,
} from "@kindling/submit";
import type { CommandContext } from "@kindling/command-line";

/** Checks everything that a submission needs, without submitting it. */
export async function* checksOf(
  configuration: Configuration,
  request: ConfigurationRequest,
  { outside, secrets, signal }: CommandContext,
  notice: (message: string) => void,
): AsyncGenerator<CheckResult, void> {
  const options = { tell: notice, signal, secrets };
  const { input, steps, cluster, installation } = await gatherConfigured(
    configuration,
    request,
    outside,
    "this-machine",
    options,
  );
  const planned = plan(input, steps);
  planned.notices.forEach(notice);
  hidePlanned(planned, secrets);
  const client = connectionFor(planned, cluster);
  try {
    yield* checkSubmission({ input, plan: planned, installation }, client, { outside, secrets, signal });
  } finally {
    client.close();
  }
}
