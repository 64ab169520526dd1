import type { CommandContext, CommandLine } from "@kindling/command-line";
import { KindlingError, quotedName } from "@kindling/core-spec";
import { stateFolder } from "../args/cluster-options.ts";
import { askStatus } from "../control/control-client.ts";
import { statePaths } from "../state/state-paths.ts";
import { INSTANCE_VARIABLES, instanceVariables } from "./instance-variables.ts";
import { syntaxOfAskingShell } from "./asking-shell.ts";
import { assignments, KNOWN_SHELLS, removals, type Syntax, syntaxOf } from "./shells.ts";

/**
 * `kindling dev env`, for `eval "$(kindling dev env)"`: the variables that a shell must set so that its commands find the
 * running cluster. If none runs, the output has nothing that a shell would execute.
 */
export async function envCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const { outside, output } = context;
  const syntax = syntaxFor(line, context);
  if (line.has("unset")) {
    output.out(lines(removals(syntax, INSTANCE_VARIABLES)));
    return 0;
  }
  const folder = stateFolder(line, outside);
  const status = await askStatus(statePaths(folder).socket, outside.clock);
  if (status === undefined) {
    throw new KindlingError("OBJECT_NOT_FOUND", `nothing runs with state folder ${folder}`, {
      hint: `kindling dev up${line.has("state") ? ` --state ${folder}` : ""} starts it`,
    });
  }
  output.out(lines(assignments(syntax, instanceVariables(status))));
  return 0;
}

function syntaxFor(line: CommandLine, { outside }: CommandContext): Syntax {
  const shell = line.value("shell");
  if (shell === undefined) return syntaxOfAskingShell(outside.env, process.ppid);
  const known = syntaxOf(shell);
  if (known !== undefined) return known;
  throw new KindlingError("ARGUMENT_INVALID", `--shell ${quotedName(shell)}: not known`, {
    hint: `name one of ${KNOWN_SHELLS.join(", ")}`,
  });
}

/** A semicolon follows each command: without quotes around `$(…)`, shells join all lines into one. */
function lines(all: readonly string[]): string {
  return all.map((one) => `${one};\n`).join("");
}
