export interface Variable {
  readonly name: string;
  readonly value: string;
}

const REFERENCE = /\$(?:\$|\(([^)]*)\))/g;

/** Replaces `$(NAME)` by its known value; `$$` stands for a dollar, and unknown references stay unchanged. */
export function expand(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(REFERENCE, (whole, name: string | undefined) =>
    name === undefined ? "$" : (known.get(name) ?? whole),
  );
}
