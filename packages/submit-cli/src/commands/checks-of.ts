import {
  checkSubmission,
  connectionFor,
  gatherConfigured,
  hidePlanned,
  plan,
  type CheckResult,
  type Configuration,
  type ConfigurationRequest,
} from "@kindling/submit";
import type { CommandContext } from "@kindling/command-line";

/** Looks at everything that a submission needs, without submitting it. */
export async function* checksOf(
  configuration: Configuration,
  request: ConfigurationRequest,
  context: CommandContext,
  notice: (message: string) => void,
): AsyncGenerator<CheckResult, void> {
  const { secrets, signal } = context;
  const options = { tell: notice, signal, secrets };
  const { input, steps, cluster } = await gatherConfigured(configuration, request, context, "this-machine", options);
  const planned = plan(input, steps);
  planned.notices.forEach(notice);
  hidePlanned(planned, secrets);
  const client = connectionFor(planned, cluster);
  try {
    yield* checkSubmission({ input, plan: planned }, client, { outside: context, secrets, signal });
  } finally {
    client.close();
  }
}
