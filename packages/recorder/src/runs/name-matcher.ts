/** The longest part of a pattern that each fitting name has. */
export function longestPart(pattern: string): string {
  return pattern.split(/\*+/).reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}

/** Whether a name is the one that is meant. In a pattern, `*` stands for any characters. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const [first = "", ...rest] = pattern.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0 || found + part.length > name.length - last.length) return false;
      at = found + part.length;
    }
    return true;
  };
}
