/** Whether a text may have colours. */
export interface Palette {
  readonly colors: boolean;
}

const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

/** Colours a text if colours are wanted. */
export function paint({ colors }: Palette, color: keyof typeof CODES, text: string): string {
  return colors ? `\u001B[${CODES[color]}m${text}\u001B[0m` : text;
}
