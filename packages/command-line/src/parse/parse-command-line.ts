import { parseArgs, type ParseArgsConfig } from "node:util";
import { KindlingError, messageOf, closest } from "@kindling/core-spec";
import type { CommandUsage, Option } from "../command.ts";
import type { CommandLine } from "../command-line.ts";

/**
 * Reads a command's options and operands, in the grammar of Node's `util.parseArgs`: `--name value`, `--name=value`,
 * `-n value`, `-abc`, and `--` before operands that begin with a dash.
 *
 * @param calledAs how the user calls the command, such as `kindling list`
 * @throws KindlingError `ARGUMENT_INVALID` for anything that the command does not know
 */
export function parseCommandLine(usage: CommandUsage, argv: readonly string[], calledAs: string): CommandLine {
  const hint = `see ${calledAs} --help`;
  const line = read(usage, argv, usage.unknownOptionHint ?? hint);
  for (const { name, once } of usage.options) {
    if (once === true && line.values(name).length > 1) {
      throw new KindlingError("ARGUMENT_INVALID", `--${name} is given twice`, { hint });
    }
  }
  const most = usage.operands === undefined ? 0 : (usage.operands.most ?? Infinity);
  const extra = line.operands[most];
  if (extra !== undefined) {
    const limit = most === 0 ? "no operands" : most === 1 ? "at most one operand" : `at most ${most} operands`;
    throw new KindlingError("ARGUMENT_INVALID", `${usage.name} takes ${limit}: ${extra}`, { hint });
  }
  return line;
}

/** Whether a command line asks for the help, no matter what is wrong with the rest. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  return own.includes("--help") || own.includes("-h");
}

function read({ options }: CommandUsage, argv: readonly string[], hint: string): CommandLine {
  try {
    const config = { args: [...argv], options: optionsForNode(options), allowPositionals: true, strict: true } as const;
    const { values, positionals, tokens } = parseArgs({ ...config, tokens: true });
    const all = (name: string): readonly string[] => {
      const given = values[name];
      return Array.isArray(given) ? given.filter((value): value is string => typeof value === "string") : [];
    };
    const dashes = tokens.find(({ kind }) => kind === "option-terminator");
    return {
      operands: positionals,
      behindDashes: dashes === undefined ? undefined : argv.slice(dashes.index + 1),
      values: all,
      value: (name) => all(name).at(-1),
      has: (name) => values[name] !== undefined,
    };
  } catch (error) {
    // Node's messages name the option and continue with advice about '--' that does not fit here.
    const [message = ""] = messageOf(error).split(". ");
    const near = nearOption(message, options);
    throw new KindlingError("ARGUMENT_INVALID", message, {
      hint: near === undefined ? hint : `did you mean --${near}?`,
      cause: error,
    });
  }
}

function optionsForNode(options: readonly Option[]): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(
    options.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? "boolean" : "string", multiple: true, ...(short !== undefined && { short }) },
    ]),
  );
}

/** The option that was probably meant by an unknown one. */
function nearOption(message: string, options: readonly Option[]): string | undefined {
  const [, given] = /^Unknown option '--([^']*)'/.exec(message) ?? [];
  if (given === undefined) return undefined;
  return closest(
    given,
    options.map(({ name }) => name),
  );
}
