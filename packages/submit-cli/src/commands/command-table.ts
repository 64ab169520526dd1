import { CONFIG_USAGE } from "./config-command.ts";
import { KILL_USAGE } from "./kill-command.ts";
import { LIST_USAGE } from "./list-command.ts";
import { LOGS_USAGE } from "./logs-command.ts";
import { HELP_OPTION, type CommandUsage } from "./options.ts";
import { STAGING_USAGE } from "./staging-command.ts";
import { STATUS_USAGE } from "./status-command.ts";

export const COMPLETION_USAGE: CommandUsage = {
  name: "completion",
  summary: "print a shell's completion script",
  operands: "bash|zsh|fish",
  maxOperands: 1,
  options: [HELP_OPTION],
  examples: [
    "source <(kindling completion bash)",
    'kindling completion zsh > "${fpath[1]}/_kindling"',
    "kindling completion fish > ~/.config/fish/completions/kindling.fish",
  ],
};

/** The commands besides submit and explain, which take spark-submit's arguments, in the order of the help. */
export const COMMAND_USAGES: readonly CommandUsage[] = [
  STATUS_USAGE,
  LIST_USAGE,
  LOGS_USAGE,
  KILL_USAGE,
  STAGING_USAGE,
  CONFIG_USAGE,
  COMPLETION_USAGE,
];
