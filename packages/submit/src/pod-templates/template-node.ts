/**
 * A value as it is written in a file, before the type of its field is known. Numbers keep their text: JavaScript's numbers
 * have 53 bits.
 */
export type TemplateNode = TemplateScalar | TemplateFloat | TemplateList | TemplateMap;

export interface TemplateScalar {
  readonly kind: "null" | "boolean" | "integer" | "text" | "bytes";
  /** As it is written in the file; for bytes, their base64 without blanks. */
  readonly text: string;
  /** The position in the file. */
  readonly at: number;
}

/** A number with a fraction or an exponent. */
export interface TemplateFloat {
  readonly kind: "float";
  /** The text of the number if a text is wanted. */
  readonly text: string;
  readonly number: number;
  readonly at: number;
}

export interface TemplateList {
  readonly kind: "list";
  readonly items: readonly TemplateNode[];
  readonly at: number;
}

export interface TemplateMap {
  readonly kind: "map";
  /** JSON may name a member more than once; the last one counts. */
  readonly members: readonly (readonly [key: string, value: TemplateNode])[];
  readonly at: number;
}

/** A fault at a position of a text. */
export class TemplateFault extends Error {
  override readonly name = "TemplateFault";
  readonly at: number;

  constructor(at: number, problem: string) {
    super(problem);
    this.at = at;
  }
}
