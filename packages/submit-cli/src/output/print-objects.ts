import { REDACTED } from "@kindling/core-spec";
import { paint, type Output } from "@kindling/command-line";

export interface Shown {
  readonly format: "yaml" | "json";
  /** Whether secrets have been taken out. */
  readonly isRedacted: boolean;
}

/**
 * Prints objects as text, and says whether secrets are in them: where they are, in the first line, which for JSON, that
 * knows no comments, is one beside the result.
 */
export function printObjects(text: string, { format, isRedacted }: Shown, output: Output): void {
  if (!isRedacted && format === "yaml") output.exact(`# ${WITH_SECRETS}\n`);
  if (!isRedacted && format === "json") note(WITH_SECRETS, output);
  if (isRedacted && text.includes(REDACTED)) note("secrets are not shown, --show-secrets shows them", output);
  output.exact(text);
}

const WITH_SECRETS = "With secrets, as --show-secrets asks: do not pass this on.";

function note(text: string, output: Output): void {
  output.err(`${paint(output, "yellow", "note:")} ${text}\n`);
}
