/** A row of a table that is judged. */
export interface Row {
  readonly what: string;
  /** The figure as a text. */
  readonly found: string;
  /** What is wanted of it, as a text. */
  readonly wanted?: string;
  readonly holds?: boolean;
}

/** A row of what was not looked at. */
export function leftOut(what: string, why: string): Row {
  return { what, found: `left out: ${why}` };
}
