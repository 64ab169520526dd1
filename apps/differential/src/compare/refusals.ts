import { refusalLines, refusalSubjects } from "@kindling/recordings";
import type { Outcome } from "../run/side.ts";
import type { Difference } from "./difference.ts";

/** The differences between two refusals: the exit code, their subjects, and what was written before. */
export function refusalDifferences(real: Outcome, ours: Outcome): Difference[] {
  const found: Difference[] = [];
  const tell = (text: string): void => void found.push({ aspect: "refusal", text });
  const said = `${ours.err}\n${ours.out}`;
  if (said.trim() === "") tell("kindling fails without a word");
  if (/\n\s+at .+:\d+:\d+/.test(ours.err) || /\bINTERNAL\b/.test(ours.err))
    tell(`kindling prints a stack trace: ${ours.err.slice(0, 300)}`);
  if (ours.wrote && !real.wrote) tell("kindling wrote before it refused");
  if (real.exit !== ours.exit)
    tell(
      `the exit code is ${real.exit} in spark-submit, ${ours.exit} in kindling: ${whatItSaid(real)} / ${whatItSaid(ours)}`,
    );
  const subjects = subjectsOf(real);
  if (subjects.length > 0 && !subjects.some((subject) => said.includes(subject))) {
    const text = `spark-submit speaks of ${subjects.slice(0, 4).join(", ")}: ${whatItSaid(real)}; kindling: ${whatItSaid(ours)}`;
    found.push({ aspect: "subject", text });
  }
  return found;
}

/** Keys, flags and files in a refusal of the real spark-submit. */
export function subjectsOf({ err }: Outcome): string[] {
  return refusalSubjects(refusalLines(err, {}));
}

/** The one or two most important lines of an output. */
export function whatItSaid({ err, out }: Outcome): string {
  const lines = `${err}\n${out}`.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.filter((line) => /^(?:Error|error|Exception in thread|Caused by)/.test(line));
  const chosen = telling.length > 1 ? [telling[0], telling.at(-1)] : telling.length === 1 ? telling : lines.slice(-2);
  return chosen.join(" | ").slice(0, 400);
}
