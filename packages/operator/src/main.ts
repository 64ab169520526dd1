import { hostname } from "node:os";
import { commandHelp } from "@kindling/command-line";
import { KindlingError, quotedName } from "@kindling/core-spec";
import { runService } from "@kindling/service";
import { parseFlags } from "./flags/parse-flags.ts";
import { USAGE } from "./flags/usage.ts";
import { runOperator } from "./run-operator.ts";
import { VERSION } from "./version.ts";

/** The command `kindling-operator`, which is called as stock's operator is. */
runService(USAGE, async (args, { outside, output }) => {
  const [command, verb, ...flags] = args;
  if (command === undefined || command === "help") {
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
  return await runOperator(parseFlags(flags), {
    outside,
    holder: outside.env["POD_NAME"] ?? hostname(),
    log: process.stdout,
  });
});
