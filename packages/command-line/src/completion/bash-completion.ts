import type { CompletedCommand, CompletedProgram, Offer } from "./completion.ts";

/** A completion script for bash. */
export function bashCompletion({ name, commands, options }: CompletedProgram): string {
  const words = [...commands.map((command) => command.name), ...options];
  return `_${name}() {
  local cur prev command flags
  cur="\${COMP_WORDS[COMP_CWORD]}"; prev="\${COMP_WORDS[COMP_CWORD-1]}"; command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$cur")); return
  fi
  case "$command" in
${commands.map((command) => `    ${command.name}) flags="${flags(command)}";;\n`).join("")}    *) return;;
  esac
  case "$command $prev" in
${valueCases(commands)}  esac
  case "$cur" in -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")); return;; esac
  case "$command" in
${operandCases(commands)}  esac
}
complete -F _${name} ${name}
`;
}

/** The same for zsh, which can read bash's script. */
export function zshCompletion(program: CompletedProgram): string {
  return `#compdef ${program.name}\nautoload -U +X bashcompinit && bashcompinit\n${bashCompletion(program)}`;
}

function flags({ options }: CompletedCommand): string {
  return options.flatMap(({ names }) => names).join(" ");
}

/** One case for all options with the same completion of values. */
function valueCases(commands: readonly CompletedCommand[]): string {
  const patterns = new Map<string, string[]>();
  for (const { name, options } of commands) {
    for (const { names, value } of options) {
      if (value === undefined) continue;
      const body = offering(value);
      patterns.set(body, [...(patterns.get(body) ?? []), ...names.map((option) => `"${name} ${option}"`)]);
    }
  }
  return [...patterns].map(([body, own]) => `    ${own.join("|")}) ${body}; return;;\n`).join("");
}

function operandCases(commands: readonly CompletedCommand[]): string {
  return commands.map(({ name, operands }) => `    ${name}) ${offering(operands)};;\n`).join("");
}

function offering(offer: Offer): string {
  if (offer === "files") return 'COMPREPLY=($(compgen -f -- "$cur"))';
  if (offer === "nothing") return ":";
  if ("words" in offer) {
    const words = `COMPREPLY=($(compgen -W "${offer.words.join(" ")}" -- "$cur"))`;
    return offer.open === true ? `compopt -o nospace; ${words}` : words;
  }
  // Names may contain colons, and bash splits words at them.
  return (
    `COMPREPLY=($(compgen -W "$(${offer.printedBy} -- "\${COMP_WORDS[@]:1}" 2>/dev/null)" -- "$cur")); ` +
    `type __ltrim_colon_completions >/dev/null 2>&1 && __ltrim_colon_completions "$cur"`
  );
}
