import { KindlingError } from "@kindling/core-spec";
import { FLAGS, takesValue } from "../args/flag-table.ts";
import type { CommandContext } from "./command.ts";
import { COMMAND_USAGES, COMPLETION_USAGE } from "./command-table.ts";
import { keyReference } from "./key-reference.ts";
import { parseCommandLine } from "./options.ts";

/** `kindling completion SHELL`. */
export function completionCommand(argv: readonly string[], { output }: CommandContext): Promise<number> {
  const [shell = ""] = parseCommandLine(COMPLETION_USAGE, argv).operands;
  const script =
    shell === "bash"
      ? bash()
      : shell === "zsh"
        ? `#compdef kindling\nautoload -U +X bashcompinit && bashcompinit\n${bash()}`
        : shell === "fish"
          ? fish()
          : undefined;
  if (script === undefined)
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `${shell === "" ? "which shell?" : `${shell}: not known;`} bash, zsh and fish are`,
    );
  output.out(script);
  return Promise.resolve(0);
}

interface Words {
  readonly command: string;
  readonly summary: string;
  readonly options: readonly {
    readonly names: readonly string[];
    readonly takesValue: boolean;
    readonly help: string;
  }[];
}

function words(): Words[] {
  const submit = FLAGS.map((flag) => ({
    names: [flag.name, ...(flag.short === undefined ? [] : [flag.short])],
    takesValue: takesValue(flag),
    help: flag.help,
  }));
  const others = COMMAND_USAGES.map(({ name, summary, options }) => ({
    command: name,
    summary,
    options: options.map((option) => ({
      names: [`--${option.name}`, ...(option.short === undefined ? [] : [`-${option.short}`])],
      takesValue: option.value !== undefined,
      help: option.help,
    })),
  }));
  return [
    { command: "submit", summary: "submit an application", options: submit },
    { command: "explain", summary: "show which step sets which field", options: submit },
    ...others,
  ];
}

/** What --output of each command takes. */
const FORMATS: Readonly<Record<string, string>> = {
  submit: "yaml json",
  explain: "yaml json",
  status: "text table json yaml",
  list: "table name json yaml",
  config: "text markdown json yaml",
};

const APPLICATION_COMMANDS = ["kill", "status", "logs"];

/** Keys up to where a name of the user's own begins. */
function keyWords(): string[] {
  return [
    ...new Set(keyReference().map(({ key }) => (key.includes("<") ? key.slice(0, key.indexOf("<")) : `${key}=`))),
  ];
}

function bash(): string {
  const all = words();
  const cases = all.map(({ command, options }) => {
    const names = options.flatMap((option) => option.names).join(" ");
    const valued = options
      .filter((option) => option.takesValue)
      .flatMap((option) => option.names)
      .join("|");
    return `    ${command}) flags="${names}"; valued="${valued}"; formats="${FORMATS[command] ?? ""}";;`;
  });
  return `_kindling() {
  local cur prev command flags valued formats
  cur="\${COMP_WORDS[COMP_CWORD]}"; prev="\${COMP_WORDS[COMP_CWORD-1]}"; command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${all.map(({ command }) => command).join(" ")} --help --version" -- "$cur")); return
  fi
  case "$command" in
${cases.join("\n")}
    *) return;;
  esac
  case "$prev" in
    --conf|-c) compopt -o nospace; COMPREPLY=($(compgen -W "${keyWords().join(" ")}" -- "$cur")); return;;
    --deploy-mode) COMPREPLY=($(compgen -W "cluster client" -- "$cur")); return;;
    --output|-o) COMPREPLY=($(compgen -W "$formats" -- "$cur")); return;;
  esac
  case "|$valued|" in *"|$prev|"*) COMPREPLY=($(compgen -f -- "$cur")); return;; esac
  case "$cur" in -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")); return;; esac
  case "$command" in
    ${APPLICATION_COMMANDS.join("|")})
      COMPREPLY=($(compgen -W "$(kindling list -A -o name 2>/dev/null)" -- "$cur"))
      type __ltrim_colon_completions >/dev/null 2>&1 && __ltrim_colon_completions "$cur";;
    *) COMPREPLY=($(compgen -f -- "$cur"));;
  esac
}
complete -F _kindling kindling
`;
}

function fish(): string {
  const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = ["complete -c kindling -f"];
  for (const { command, summary, options } of words()) {
    lines.push(`complete -c kindling -n __fish_use_subcommand -a ${command} -d ${quote(summary)}`);
    for (const { names, takesValue: valued, help } of options) {
      const flags = names
        .map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
        .join(" ");
      lines.push(
        `complete -c kindling -n '__fish_seen_subcommand_from ${command}' ${flags}${valued ? " -r" : ""} -d ${quote(help)}`,
      );
    }
  }
  for (const command of APPLICATION_COMMANDS) {
    lines.push(
      `complete -c kindling -n '__fish_seen_subcommand_from ${command}' -a '(kindling list -A -o name 2>/dev/null)'`,
    );
  }
  lines.push(`complete -c kindling -n '__fish_seen_subcommand_from submit explain' -F`);
  return `${lines.join("\n")}\n`;
}
