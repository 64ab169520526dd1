import { hostname } from "node:os";
import { asksForHelp, commandHelp, type CommandContext, runProcess } from "@kindling/command-line";
import { isKindlingError, KindlingError, quotedName } from "@kindling/core-spec";
import { untilStopped } from "@kindling/service";
import { parseFlags } from "./flags/parse-flags.ts";
import { USAGE } from "./flags/usage.ts";
import { runOperator } from "./run-operator.ts";
import { VERSION } from "./version.ts";

/** The command `kindling-operator`, which is called as stock's operator is. Its log goes to stdout. */
async function main(args: readonly string[], { outside, output, signal }: CommandContext): Promise<number> {
  const [command, verb, ...flags] = args;
  if (command === undefined || command === "help" || asksForHelp(args)) {
    output.out(commandHelp(USAGE, USAGE.name, output.onOut));
    return 0;
  }
  if (command === "version" || command === "--version") {
    output.out(`kindling-operator ${VERSION}\n`);
    return 0;
  }
  if (command === "webhook")
    throw new KindlingError("ARGUMENT_INVALID", "this operator needs no webhook", {
      hint: "run controller start alone, and remove the webhook's Deployment",
    });
  if (command !== "controller" || verb !== "start")
    throw new KindlingError("ARGUMENT_INVALID", `there is no command ${quotedName([command, verb].join(" ").trim())}`, {
      hint: "kindling-operator controller start",
    });
  const operator = await runOperator(parseFlags(flags), {
    outside,
    holder: outside.env["POD_NAME"] ?? hostname(),
    log: process.stdout,
  });
  await untilStopped(signal);
  await operator.stop();
  return 0;
}

// What nobody foresaw is told whole: nobody can ask a service again for more.
void runProcess(main, { verbose: (_, error) => !isKindlingError(error) });
