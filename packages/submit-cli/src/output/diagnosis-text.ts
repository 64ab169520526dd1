import { paint, type Palette } from "@kindling/command-line";
import { age } from "./age.ts";
import type { Diagnosis, Finding } from "@kindling/submit";

export interface DiagnosisTextOptions {
  readonly palette: Palette;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The command that shows the driver's log; undefined if it was named already. */
  readonly logsCommand: string | undefined;
}

/** Why an application failed or waits: a line or two for each finding, and the next command. */
export function diagnosisText({ findings }: Pick<Diagnosis, "findings">, options: DiagnosisTextOptions): string {
  const failed = findings.some(({ severity }) => severity === "failure");
  const lines = findings.flatMap((finding) => findingLines(finding, failed, options));
  const { logsCommand, palette } = options;
  if (!failed || logsCommand === undefined) return lines.join("\n");
  return [...lines, `${paint(palette, "dim", "next:")} the driver's log: ${logsCommand}`].join("\n");
}

function findingLines(finding: Finding, failed: boolean, { palette, now }: DiagnosisTextOptions): string[] {
  const { severity, summary, details, advice } = finding;
  const head =
    severity === "failure"
      ? `${paint(palette, "red", "failed:")} ${summary}`
      : finding.cause === "SidecarRunsOn"
        ? `${paint(palette, "yellow", "note:")} ${summary}`
        : `${paint(palette, "yellow", failed ? "also:" : "waiting:")} ${who(finding)}: ${summary}${howOften(finding, now)}`;
  return [
    head,
    // The summary may already contain the first line of the exception.
    ...details.filter((line) => !summary.startsWith(line)).map((line) => `    ${line}`),
    ...(advice === undefined ? [] : [`${paint(palette, "dim", "hint:")} ${advice}`]),
  ];
}

const MOST_PODS = 3;

function who({ role, pods }: Finding): string {
  if (role === "driver") return "the driver";
  if (pods.length === 0) return "executors";
  const more = pods.length > MOST_PODS ? ", …" : "";
  const names = `${pods.slice(0, MOST_PODS).join(", ")}${more}`;
  return pods.length === 1 ? `executor ${names}` : `${pods.length} executors (${names})`;
}

function howOften({ times, pods, since }: Finding, now: number): string {
  const parts = [
    ...(times > Math.max(1, pods.length) ? [`${times} times`] : []),
    ...(since === undefined ? [] : [`since ${age(since, now)}`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
