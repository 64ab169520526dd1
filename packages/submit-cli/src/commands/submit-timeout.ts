import type { CommandContext } from "@kindling/command-line";
import { findDrivers, killApplication, parseTarget, type Application, type Outcome } from "@kindling/submit";
import type { SubmitArguments } from "@kindling/spark-arguments";
import { goesOnText, timedOutText } from "../output/timed-out-text.ts";
import { connectAsSubmit } from "./kill-command.ts";

/** Handles a submission after its time limit: says how to go on, or ends the application. */
export async function afterTimeout(
  { submissionId }: Application,
  { limit }: Outcome & { readonly phase: "TimedOut" },
  args: SubmitArguments,
  context: CommandContext,
): Promise<void> {
  const text = timedOutText(limit, args.values.get(`--${limit}`));
  if (!args.switches.has("--kill-on-timeout")) {
    context.output.err(text + goesOnText(submissionId));
    return;
  }
  const { client } = await connectAsSubmit(args, context);
  try {
    for (const driver of await findDrivers(client, parseTarget(submissionId)))
      await killApplication(client, driver, undefined);
    context.output.err(`${text}, and it is ended (--kill-on-timeout).\n`);
  } finally {
    client.close();
  }
}
