import { KindlingError } from "@kindling/core-spec";
import type { Option } from "../command.ts";
import type { CommandLine } from "../command-line.ts";

/** `-o FORMAT`; the first format is the default. */
export function outputOption(formats: readonly string[], help: string = formatsText(formats)): Option {
  return { name: "output", short: "o", value: "FORMAT", choices: formats, help };
}

/** `table (default), json or yaml` */
function formatsText([first = "", ...others]: readonly string[]): string {
  const all = [`${first} (default)`, ...others];
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
}

/**
 * The format in `-o`.
 *
 * @throws KindlingError `ARGUMENT_INVALID` for another one
 */
export function formatOf<const F extends string>(line: CommandLine, formats: readonly [F, ...F[]]): F {
  const given = line.value("output");
  if (given === undefined) return formats[0];
  const known = formats.find((format) => format === given);
  if (known === undefined) {
    throw new KindlingError("ARGUMENT_INVALID", `--output ${given}: must be one of ${formats.join(", ")}`);
  }
  return known;
}
