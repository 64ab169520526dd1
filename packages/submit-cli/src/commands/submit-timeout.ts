import type { CommandContext } from "@kindling/command-line";
import { findDrivers, killApplication, parseTarget, type Application, type Outcome } from "@kindling/submit";
import type { SubmitArguments } from "../args/parse-arguments.ts";
import { timedOutText } from "../output/timed-out-text.ts";
import { connectAsSubmit } from "./kill-command.ts";

/** What comes after a submission whose time is over: it is told how to go on, or the application is ended. */
export async function afterTimeout(
  { submissionId }: Application,
  outcome: Outcome & { readonly phase: "TimedOut" },
  args: SubmitArguments,
  context: CommandContext,
): Promise<void> {
  const { switches, values } = args;
  const limits = { timeout: values.get("--timeout"), pendingTimeout: values.get("--pending-timeout") };
  const text = timedOutText(outcome, submissionId, limits);
  if (!switches.has("--kill-on-timeout")) {
    context.output.err(text);
    return;
  }
  const { client } = await connectAsSubmit(args, context);
  try {
    for (const driver of await findDrivers(client, parseTarget(submissionId)))
      await killApplication(client, driver, undefined);
    context.output.err(`${text.replace(/; it goes on\.[^]*$/, ", and it is ended")} (--kill-on-timeout).\n`);
  } finally {
    client.close();
  }
}
