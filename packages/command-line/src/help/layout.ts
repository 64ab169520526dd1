import { paint, type Palette } from "../output/palette.ts";

/** A name, and its description. */
export type Row = readonly [name: string, text: string];

const WIDEST = 120;
const STACKED_WIDTH = 100;

/** `Usage: kindling COMMAND [flags]` */
export function heading(palette: Palette, title: string, text: string): string {
  return `${paint(palette, "bold", `${title}:`)} ${text}\n`;
}

/** Rows in two columns or, if a name is too wide, each text below its name. */
export function section(palette: Palette, title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  const fits = rows.every(([, text]) => width + text.length + 4 <= WIDEST);
  const lines = rows.map(([name, text]) =>
    fits ? `  ${name.padEnd(width)}  ${text}\n` : `  ${name.trimStart()}\n${wrapped(text)}`,
  );
  return `${paint(palette, "bold", `${title}:`)}\n${lines.join("")}`;
}

export function examples(palette: Palette, shown: readonly string[]): string {
  return `${paint(palette, "bold", "Examples:")}\n${shown.map((example) => `  ${example}\n`).join("")}`;
}

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "     ";
  for (const word of text.split(" ")) {
    if (line.trim() !== "" && line.length + word.length >= STACKED_WIDTH) {
      lines.push(line);
      line = "     ";
    }
    line += ` ${word}`;
  }
  return [...lines, line].map((each) => `${each}\n`).join("");
}
