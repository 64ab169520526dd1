import { redact, withoutUserInfo, type Configuration } from "@kindling/submit";
import type { Output } from "@kindling/command-line";

/** `--verbose`: the parsed configuration, without the values of secrets. */
export function printConfiguration(
  { entries, primaryResource, mainClass, proxyUser }: Configuration,
  output: Output,
): void {
  const lines = [
    ["application", primaryResource === undefined ? undefined : withoutUserInfo(primaryResource)],
    ["main class", mainClass],
    ["proxy user", proxyUser],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`  ${name}: ${value}`]));
  const conf = Object.entries(redact(entries))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `  ${key}=${value}`);
  output.err(`${["Submission:", ...lines, "Spark configuration:", ...conf].join("\n")}\n`);
}
