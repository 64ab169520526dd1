import { type CommandUsage, HELP_OPTION, type Option } from "@kindling/command-line";
import type { Setting, SettingsProgram } from "./setting.ts";
import { CONFIG, flagName, flagOf, variableOf } from "./spelling.ts";

/** How a program is called: a flag for each setting. */
export function settingsUsage<Config>({
  name,
  summary,
  prefix,
  settings,
  examples,
}: SettingsProgram<Config>): CommandUsage {
  const declared = Object.entries<Setting<unknown>>(settings);
  const [[example] = [CONFIG]] = declared;
  return {
    name,
    summary,
    options: [
      {
        name: CONFIG,
        value: "<file>",
        once: true,
        help: `Properties file with settings. Each can also be set in the environment, as ${variableOf(prefix, example)} does for ${flagOf(example)}.`,
      },
      ...declared.map(([setting, declaration]) => optionOf(setting, declaration)),
      HELP_OPTION,
    ],
    examples,
  };
}

function optionOf(setting: string, { type, default: preset, doc }: Setting<unknown>): Option {
  const otherwise = preset === undefined || preset === "" ? "" : ` Default: ${preset}.`;
  return {
    name: flagName(setting),
    value: `<${type.name}>`,
    once: true,
    help: `${doc.replaceAll("`", "")}${otherwise}`,
  };
}
