import { REDACTED } from "@kindling/core-spec";
import { paint, type Output } from "@kindling/command-line";

export interface Shown {
  readonly format: "yaml" | "json";
  /** Whether secrets have been taken out. */
  readonly isRedacted: boolean;
  /** What must be known before the objects are used: a line each at the top. */
  readonly remarks?: readonly string[];
  /** Lines at the top, of formats that have comments. */
  readonly comments?: readonly string[];
}

/**
 * Prints objects as text, and says before what must be known: in the first lines, or, for JSON, that knows no comments,
 * beside the result. Whether secrets are in them is said first.
 */
export function printObjects(
  text: string,
  { format, isRedacted, remarks = [], comments = [] }: Shown,
  output: Output,
): void {
  const all = isRedacted ? remarks : [WITH_SECRETS, ...remarks];
  if (format === "yaml") for (const line of [...all, ...comments]) output.exact(`# ${line}\n`);
  else for (const remark of all) note(remark, output);
  if (isRedacted && text.includes(REDACTED)) note("secrets are not shown, --show-secrets shows them", output);
  output.exact(text);
}

const WITH_SECRETS = "With secrets, as --show-secrets asks: do not pass this on.";

function note(text: string, output: Output): void {
  output.err(`${paint(output, "yellow", "note:")} ${text}\n`);
}
