import { spawn } from "node:child_process";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { withoutUserInfo } from "../../secrets/redact.ts";

/** How much a tool may report, in bytes: a thousand jars take a few hundred thousand bytes. */
export const LARGEST_REPORT: number = 64 * 1024 * 1024;

export interface ToolOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a program to its end.
 *
 * @returns its standard output
 * @throws KindlingError `INTERRUPTED`, or `FILE_UNREADABLE` with the program's error message
 */
export async function runTool(program: string, args: readonly string[], { env, signal }: ToolOptions): Promise<string> {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], ...(signal && { signal }) });
  let out = "";
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    said += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw new KindlingError("INTERRUPTED", "interrupted");
    throw new KindlingError("UNSUPPORTED", `${program} cannot be run: ${messageOf(error)}`, { cause: error });
  });
  if (code === 0) return out;
  throw new KindlingError("FILE_UNREADABLE", `${program} could not resolve the packages: ${complaintIn(said)}`, {
    hint: "check the coordinates and --repositories, and the tool's own settings for mirrors and credentials",
  });
}

/** The line that says what is wrong, without Maven's text around it. */
function complaintIn(said: string): string {
  const lines = withoutUserInfo(said)
    .replace(/\u001B\[[0-9;]*m/g, "")
    .split("\n")
    .map((line) => line.replace(/^\[(ERROR|WARNING|INFO)\] ?/, "").trim())
    .filter((line) => line !== "");
  const complaint = lines.find((line) => /could not|not found|failed|error/i.test(line)) ?? lines.at(-1);
  return (complaint ?? "it said nothing")
    .replace(/^.*Could not resolve dependencies for project kindling:packages:pom:1: /, "")
    .replace(/ -> \[Help \d+\]$/, "");
}
