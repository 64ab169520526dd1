import { harmlessText } from "@kindling/core-spec";
import { formatObject, paint, type Output } from "@kindling/command-line";
import type { CheckResult } from "@kindling/submit/check";

/** Shows checks as they are done; the result is the exit code. */
export async function printChecks(
  checks: AsyncIterable<CheckResult>,
  format: "yaml" | "json" | undefined,
  output: Output,
): Promise<number> {
  const results: CheckResult[] = [];
  for await (const check of checks) {
    results.push(check);
    if (format === undefined) output.out(line(check, output));
  }
  if (format !== undefined) output.out(await formatObject(results, format));
  return results.every(({ ok }) => ok) ? 0 : 1;
}

function line({ what, ok, detail, hint }: CheckResult, output: Output): string {
  const mark = ok ? paint(output.onOut, "green", "ok    ") : paint(output.onOut, "red", "FAILED");
  const advice = hint === undefined ? "" : `       ${harmlessText(hint)}\n`;
  return `${mark} ${harmlessText(what)}: ${harmlessText(detail)}\n${advice}`;
}
