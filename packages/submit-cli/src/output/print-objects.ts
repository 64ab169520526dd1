import { REDACTED } from "@kindling/core-spec";
import { paint, type Output } from "@kindling/command-line";

export interface Shown {
  readonly format: "yaml" | "json";
  /** Whether secrets have been removed. */
  readonly isRedacted: boolean;
  /** What the user must know before using the objects: one line each at the top. */
  readonly remarks?: readonly string[];
  /** Lines at the top, in formats with comments. */
  readonly comments?: readonly string[];
}

/**
 * Prints objects as text, after what the user must know: in the first lines or, for JSON, which has no comments, beside the
 * result. Whether it contains secrets is said first.
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
