import type { CommandLine, Option } from "@kindling/command-line";
import { KindlingError, quotedName } from "@kindling/core-spec";
import { PLAIN_CLUSTER_OPTIONS, wholeNumber } from "./cluster-options.ts";

/** The options of `kindling dev connect`. For all others of a cluster, there is `kindling dev up`. */
export const CONNECT_OPTIONS: readonly Option[] = [
  {
    name: "port",
    value: "N",
    help: "the port of Spark Connect; 0: any free one; default: 15002, with a command any free one if that is taken",
  },
  {
    name: "conf",
    value: "KEY=VALUE",
    help: "configuration that Spark's driver starts with, such as spark.jars.packages; may be given again",
  },
  ...PLAIN_CLUSTER_OPTIONS,
];

/** @throws KindlingError `ARGUMENT_INVALID` */
export function connectPort(line: CommandLine): number | undefined {
  return wholeNumber(line, "port", 0, 65_535);
}

/**
 * The configuration of the command line, by key. The last value of a key wins.
 *
 * @throws KindlingError `ARGUMENT_INVALID` that does not show a value: it may be a secret
 */
export function connectConf(line: CommandLine): Readonly<Record<string, string>> {
  return Object.fromEntries(
    line.values("conf").map((text) => {
      const [, key = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (key.startsWith("spark.")) return [key, value];
      const shown = quotedName(text.split("=")[0] ?? "");
      throw new KindlingError("ARGUMENT_INVALID", `--conf ${shown}: must be a key of Spark and its value`, {
        hint: "write it as in --conf spark.executor.memory=4g",
      });
    }),
  );
}
