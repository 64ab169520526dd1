/** Ways to set variables: in POSIX shells, fish, and csh. */
export type Syntax = "sh" | "fish" | "csh";

const SYNTAXES: ReadonlyMap<string, Syntax> = new Map<string, Syntax>([
  ...["sh", "bash", "zsh", "dash", "ksh", "ash"].map((name) => [name, "sh"] as const),
  ["fish", "fish"],
  ...["csh", "tcsh"].map((name) => [name, "csh"] as const),
]);

/** The shells whose syntax is known, for messages. */
export const KNOWN_SHELLS: readonly string[] = [...SYNTAXES.keys()];

/** The syntax of a shell by its name; `undefined` if it is not known. */
export function syntaxOf(shell: string): Syntax | undefined {
  return SYNTAXES.get(shell);
}

/** A command for each variable that sets and exports it. */
export function assignments(syntax: Syntax, variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(variables).map(([name, value]) => {
    switch (syntax) {
      case "sh":
        return `export ${name}=${quotedForSh(value)}`;
      case "fish":
        return `set -gx ${name} ${quoted(value.replaceAll("\\", "\\\\"), String.raw`\'`)}`;
      case "csh":
        // csh replaces history references inside of quotes, too.
        return `setenv ${name} ${quoted(value, String.raw`'\''`).replaceAll("!", String.raw`\!`)}`;
    }
  });
}

/** A command for each variable that removes it. */
export function removals(syntax: Syntax, names: readonly string[]): readonly string[] {
  return names.map((name) => {
    switch (syntax) {
      case "sh":
        return `unset ${name}`;
      case "fish":
        return `set -e ${name}`;
      case "csh":
        return `unsetenv ${name}`;
    }
  });
}

/** A word, quoted for POSIX shells. */
export function quotedForSh(text: string): string {
  return quoted(text, String.raw`'\''`);
}

function quoted(text: string, quote: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", quote)}'`;
}
