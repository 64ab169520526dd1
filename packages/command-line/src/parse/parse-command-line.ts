import { parseArgs, type ParseArgsConfig } from "node:util";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { CommandUsage } from "./option-table.ts";

/** The options of a command line. */
export interface Options {
  /** The last value that an option was given. */
  value(name: string): string | undefined;
  values(name: string): readonly string[];
  has(name: string): boolean;
}

/** Reads a command's options. @throws KindlingError `ARGUMENT_INVALID` for what the command does not know */
export function parseOptions(usage: CommandUsage, argv: readonly string[]): Options {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const { name, short, value } of usage.options) {
    options[name] = {
      type: value === undefined ? "boolean" : "string",
      multiple: true,
      ...(short !== undefined && { short }),
    };
  }
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true });
    const all = (name: string): readonly string[] => {
      const given = values[name];
      return Array.isArray(given) ? given.filter((value): value is string => typeof value === "string") : [];
    };
    return { values: all, value: (name) => all(name).at(-1), has: (name) => values[name] !== undefined };
  } catch (error) {
    // Node's messages name the option and go on with advice about '--' that does not fit here.
    const [message = ""] = messageOf(error).split(". ");
    throw new KindlingError("ARGUMENT_INVALID", message, {
      hint: `see kindling dev ${usage.name} --help`,
      cause: error,
    });
  }
}
