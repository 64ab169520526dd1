import { isKindlingError } from "@kindling/core-spec";
import type { CommandContext } from "./commands/command.ts";
import { submitCommand } from "./commands/submit-command.ts";
import { printError } from "./output/print-error.ts";
import { paint, processOutput, type Output } from "./output/terminal.ts";
import { versionText } from "./version.ts";

type Command = (argv: readonly string[], context: CommandContext) => Promise<number>;

// Commands other than submit are loaded when they are called: most starts never need them.
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  submit: () => Promise.resolve(submitCommand),
};

/** Runs one command line; the result is the exit code. */
async function main(argv: readonly string[], context: CommandContext): Promise<number> {
  const [name = "--help", ...rest] = argv;
  if (name === "--version" || name === "version") {
    context.output.out(`${versionText()}\n`);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return (await command())(rest, context);
  const { help } = await import("./args/help.ts");
  if (name === "--help" || name === "-h" || name === "help") {
    context.output.out(help(context.output));
    return argv.length === 0 ? 1 : 0;
  }
  context.output.err(
    `${paint(context.output, "red", "error:")} there is no command '${name}'\n${help(context.output)}`,
  );
  return 1;
}

/** Runs the process's own command line. */
export async function run(): Promise<void> {
  const argv = process.argv.slice(2);
  const output: Output = processOutput(process.env);
  const interrupt = new AbortController();
  const onInterrupt = (): void => {
    // A second interrupt ends the process at once.
    process.removeListener("SIGINT", onInterrupt);
    process.removeListener("SIGTERM", onInterrupt);
    interrupt.abort();
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onInterrupt);
  try {
    process.exitCode = await main(argv, {
      env: process.env,
      cwd: process.cwd(),
      output,
      signal: interrupt.signal,
      now: Date.now,
    });
  } catch (error) {
    const interrupted = isKindlingError(error) && error.code === "INTERRUPTED";
    if (!interrupted) printError(error, output, argv.includes("--verbose") || argv.includes("-v"));
    process.exitCode = interrupted ? 130 : 1;
  } finally {
    process.removeListener("SIGINT", onInterrupt);
    process.removeListener("SIGTERM", onInterrupt);
  }
}

void run();
