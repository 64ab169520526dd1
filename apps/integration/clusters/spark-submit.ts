import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Ended } from "./kindling.ts";
import { ENFORCED_LEVEL } from "./test-cluster.ts";

/**
 * The real `spark-submit` of a version, in the Spark that KINDLING_E2E_SPARK_HOME names; undefined if there is none, and where
 * namespaces enforce a level of pod security: they refuse its pods.
 */
export function realSparkSubmit(version: string): string | undefined {
  if (ENFORCED_LEVEL !== undefined) return undefined;
  const home = process.env["KINDLING_E2E_SPARK_HOME"]?.replaceAll("{version}", version);
  const program = home === undefined ? undefined : join(home, "bin", "spark-submit");
  return program !== undefined && existsSync(program) ? program : undefined;
}

/** Runs a program to its end, with success or failure. */
export function runToEnd(
  program: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...more };
    const child = execFile(program, args, { maxBuffer: 64 * 1024 * 1024, env }, (_, out, err) =>
      resolve({ exit: child.exitCode ?? 1, out, err }),
    );
  });
}
