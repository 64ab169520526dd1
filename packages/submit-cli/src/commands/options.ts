import { parseArgs, type ParseArgsConfig } from "node:util";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Reach } from "@kindling/submit";

/** One option of a command, for its parser, its help and shell completion. */
export interface CommandOption {
  readonly name: string;
  readonly short?: string;
  /** What its value is called; an option without one is a switch. */
  readonly value?: string;
  readonly help: string;
}

/** A command other than submit, as the table of commands describes it. */
export interface CommandUsage {
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name, such as `NAMESPACE:POD…`. */
  readonly operands: string;
  /** How many operands there may be; any number if unset. */
  readonly maxOperands?: number;
  readonly options: readonly CommandOption[];
  readonly examples: readonly string[];
}

export const REACH_OPTIONS: readonly CommandOption[] = [
  { name: "master", value: "URL", help: "k8s://https://host:port; default: the kubeconfig's current context" },
  { name: "context", value: "NAME", help: "the kubeconfig's context to use" },
  { name: "namespace", short: "n", value: "NAME", help: "the namespace; default: the context's" },
  {
    name: "conf",
    short: "c",
    value: "KEY=VALUE",
    help: "a Spark key about the connection, such as spark.kubernetes.authenticate.submission.*",
  },
];

export const HELP_OPTION: CommandOption = { name: "help", short: "h", help: "this text" };
export const VERBOSE_OPTION: CommandOption = { name: "verbose", short: "v", help: "show what an error was caused by" };

/** The options and operands of a command line. */
export interface CommandLine {
  readonly operands: readonly string[];
  value(name: string): string | undefined;
  values(name: string): readonly string[];
  has(name: string): boolean;
}

/** Reads a command's options. Throws `ARGUMENT_INVALID` for what the command does not know. */
export function parseCommandLine(usage: CommandUsage, argv: readonly string[]): CommandLine {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const option of usage.options) {
    options[option.name] = {
      type: option.value === undefined ? "boolean" : "string",
      multiple: true,
      ...(option.short !== undefined && { short: option.short }),
    };
  }
  const line = readCommandLine(usage, argv, options);
  const extra = line.operands[usage.maxOperands ?? Infinity];
  if (extra !== undefined) {
    const limit = usage.maxOperands === 0 ? "no operands" : "at most one operand";
    throw new KindlingError("ARGUMENT_INVALID", `${usage.name} takes ${limit}: ${extra}`, {
      hint: `see kindling ${usage.name} --help`,
    });
  }
  return line;
}

function readCommandLine(
  usage: CommandUsage,
  argv: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
): CommandLine {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
    const all = (name: string): readonly string[] => {
      const given = values[name];
      return Array.isArray(given) ? given.filter((value): value is string => typeof value === "string") : [];
    };
    return {
      operands: positionals,
      values: all,
      value: (name) => all(name).at(-1),
      has: (name) => values[name] !== undefined,
    };
  } catch (error) {
    // Node's messages name the option and go on with advice about '--' that does not fit here.
    const [message = ""] = messageOf(error).split(". ");
    throw new KindlingError("ARGUMENT_INVALID", message, {
      hint: `see kindling ${usage.name} --help`,
      cause: error,
    });
  }
}

/** How the command line says that the cluster is reached. */
export function reachOf(line: CommandLine): Reach {
  const conf: Record<string, string> = {};
  for (const text of line.values("conf")) {
    const equals = text.indexOf("=");
    if (equals < 0)
      throw new KindlingError("ARGUMENT_INVALID", `--conf ${text}: there is no '='`, {
        hint: "write --conf key=value",
      });
    conf[text.slice(0, equals)] = text.slice(equals + 1);
  }
  return {
    master: line.value("master"),
    context: line.value("context"),
    namespace: line.value("namespace") ?? conf["spark.kubernetes.namespace"],
    conf,
  };
}

/** One of a few output formats. */
export function formatOf<const F extends string>(line: CommandLine, ...formats: readonly [F, ...F[]]): F {
  const given = line.value("output");
  if (given === undefined) return formats[0];
  const known = formats.find((format) => format === given);
  if (known === undefined) {
    throw new KindlingError("ARGUMENT_INVALID", `--output ${given}: must be one of ${formats.join(", ")}`);
  }
  return known;
}
