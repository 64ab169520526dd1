/** A row of a table with a verdict. */
export interface Row {
  readonly what: string;
  /** The figure as a text. */
  readonly found: string;
  /** The target, as a text. */
  readonly wanted?: string;
  readonly holds?: boolean;
}

/** A row for something that was not measured. */
export function leftOut(what: string, why: string): Row {
  return { what, found: `left out: ${why}` };
}
