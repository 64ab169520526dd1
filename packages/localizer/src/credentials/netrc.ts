/** One login of a netrc file. */
export interface NetrcEntry {
  /** A host, or with `http://` a host that may be used without TLS. */
  readonly machine: string;
  readonly login: string;
  readonly password: string;
}

/**
 * Reads the netrc format (GNU inetutils, "The .netrc file"): tokens are separated by blanks, and are in quotes if they
 * contain blanks. `account` and `macdef` are ignored.
 *
 * @returns a text that says what is wrong, without any part of the file that could be a secret
 */
export function parseNetrc(source: string): readonly NetrcEntry[] | string {
  const tokens = tokensOf(source);
  if (typeof tokens === "string") return tokens;
  const entries: NetrcEntry[] = [];
  let machine: string | undefined;
  let login: string | undefined;
  let password: string | undefined;
  const finish = (): boolean => {
    if (machine === undefined) return true;
    if (password === undefined) return false;
    entries.push({ machine, login: login ?? "", password });
    return true;
  };
  for (let index = 0; index < tokens.length; index += 2) {
    const [keyword, value] = [tokens[index], tokens[index + 1]];
    if (keyword === "default") return 'a "default" entry would send its password to every host';
    if (value === undefined) return "it ends in the middle of an entry";
    if (keyword === "machine") {
      if (!finish()) return `the entry of ${machine} has no password`;
      [machine, login, password] = [value, undefined, undefined];
    } else if (machine === undefined) return 'it does not begin with "machine"';
    else if (keyword === "login") login = value;
    else if (keyword === "password") password = value;
    else if (keyword !== "account") return `the entry of ${machine} has a keyword that is not known`;
  }
  if (!finish()) return `the entry of ${machine} has no password`;
  return entries;
}

function tokensOf(source: string): string[] | string {
  // A macro ends at the first empty line.
  const text = source.replaceAll("\r\n", "\n").replaceAll(/(^|\n)[ \t]*macdef\b[^]*?(\n[ \t]*\n|$)/g, "\n");
  const tokens: string[] = [];
  const token = /\s*(?:#[^\n]*|"((?:[^"\\]|\\.)*)"|([^\s"#]\S*))/gy;
  while (text.slice(token.lastIndex).trim() !== "") {
    const match = token.exec(text);
    if (match === null) return "it has a quotation mark that is not closed";
    const [, quoted, plain] = match;
    if (quoted !== undefined) tokens.push(quoted.replaceAll(/\\(.)/g, "$1"));
    else if (plain !== undefined) tokens.push(plain);
  }
  return tokens;
}
