import { runChild, type CommandContext, type CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { clusterOptions } from "../args/cluster-options.ts";
import { kindlingProgram } from "./kindling-program.ts";
import { submissionOf } from "./submission-of.ts";
import { withInstance } from "./with-instance.ts";

/**
 * `kindling dev run`. If an instance runs already, it is used and left running. The exit code is that of the submission. The
 * driver's log is shown, as in `kindling dev watch`.
 */
export async function runCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const submission = submissionOf(line);
  if (submission.length === 0) {
    throw new KindlingError("ARGUMENT_INVALID", "run needs an application to submit", {
      hint: "name it, as in kindling dev run app.py, with flags of submit after --: kindling dev run app.py -- --files data.csv",
    });
  }
  return await withInstance(clusterOptions(line, context.outside), context, {
    use(instance) {
      const { args, env } = kindlingProgram(instance, ["submit", "--logs", ...submission], context.outside.env);
      return runChild(process.execPath, args, { env, signal: context.signal, inPlace: true });
    },
  });
}
