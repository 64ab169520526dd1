import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { clientFile } from "./connect-clients.ts";
import type { Ended } from "./kindling.ts";

/** Arrow reads memory that Java does not open by itself. Spark's own commands say the same. */
const OPENED = ["--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true"];

/** The classes of Spark's own client for the JVM on this machine, or why there are none. */
export function jvmClient(version: string): { readonly classPath: string } | { readonly reason: string } {
  const home = process.env["KINDLING_E2E_SPARK_HOME"]?.replaceAll("{version}", version);
  if (home === undefined) return { reason: " (KINDLING_E2E_SPARK_HOME names no Spark)" };
  const jars = join(home, "jars");
  const own = join(jars, "connect-repl");
  if (!existsSync(own)) return { reason: ` (Spark ${version} in KINDLING_E2E_SPARK_HOME has no jars/connect-repl)` };
  try {
    execFileSync("java", ["-version"], { stdio: "ignore" });
  } catch {
    return { reason: " (there is no Java)" };
  }
  return { classPath: [own, jars].map((folder) => join(folder, "*")).join(":") };
}

/** Runs a program of `connect-clients` with these classes. */
export function runJvmClient(classPath: string, source: string, remote: string): Promise<Ended> {
  const env = { ...process.env, SPARK_REMOTE: remote };
  return new Promise((resolve) => {
    const args = [...OPENED, "-cp", classPath, clientFile(source)];
    const child = execFile("java", args, { env }, (_, out, err) => resolve({ exit: child.exitCode ?? 1, out, err }));
  });
}
