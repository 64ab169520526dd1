import { join } from "node:path";
import type { RunProgram } from "../run-program.ts";

/** A Java on this machine. */
export interface LocalJava {
  readonly home: string;
  /** In its own form: `17.0.15`, `1.8.0_452`. */
  readonly version: string;
}

/**
 * The Java of `JAVA_HOME`. If it is unset or too old, the Java on the PATH. The program is asked for its folder, because the
 * one on the PATH may only choose among several.
 *
 * @param oldest the lowest accepted version number, such as 17
 * @returns the Java, or one line about what was found instead
 */
export async function findJava(
  env: Readonly<Record<string, string | undefined>>,
  run: RunProgram,
  oldest: number,
): Promise<LocalJava | string> {
  const home = env["JAVA_HOME"] ?? "";
  const candidates = [...(home === "" ? [] : [{ name: "JAVA_HOME", program: join(home, "bin", "java") }])];
  candidates.push({ name: "java on the PATH", program: "java" });
  const faults: string[] = [];
  for (const { name, program } of candidates) {
    const java = await askJava(program, run);
    if (java === undefined) faults.push(name === "JAVA_HOME" ? `JAVA_HOME=${home} has no bin/java` : `no ${name}`);
    else if (releaseOf(java.version) >= oldest) return java;
    else faults.push(`${name} is ${java.version} (${java.home})`);
  }
  return `there is no Java ${oldest} or newer: ${faults.join(", ")}`;
}

async function askJava(program: string, run: RunProgram): Promise<LocalJava | undefined> {
  try {
    const text = await run(program, ["-XshowSettings:properties", "-version"]);
    const [, home] = /^\s*java\.home = (.+)$/m.exec(text) ?? [];
    const [, version] = /^\s*java\.version = (.+)$/m.exec(text) ?? [];
    if (home === undefined || version === undefined) return undefined;
    // Java 8 reports the runtime inside of the development kit.
    return { home: home.trim(), version: version.trim() };
  } catch {
    return undefined;
  }
}

/** 17 for `17.0.15`, 8 for `1.8.0_452`. */
function releaseOf(version: string): number {
  return Number.parseInt(version.replace(/^1\./, ""), 10);
}
