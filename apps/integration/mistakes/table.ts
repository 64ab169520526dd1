/** A row of the table in docs/mistakes.md. */
export interface DocumentedMistake {
  readonly mistake: string;
  /** The printed lines; `…` stands for any text. */
  readonly printed: readonly string[];
  readonly exit: number;
}

/** Reads the rows of all tables with the columns mistake, what is printed, exit code. */
export function documentedMistakes(page: string): DocumentedMistake[] {
  return page.split("\n").flatMap((line) => {
    const [, mistake = "", printed = "", exit = ""] = /^\| ([^|]+?) \| (`.*`) \| (\d+) \|$/.exec(line) ?? [];
    if (mistake === "") return [];
    const lines = printed.split("<br>").map((part) => part.replace(/^`|`$/g, "").replaceAll("\\|", "|"));
    return [{ mistake, printed: lines, exit: Number(exit) }];
  });
}
