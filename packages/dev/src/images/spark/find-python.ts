import { dirname } from "node:path";
import type { RunProgram } from "../run-program.ts";

/** The Python 3 of this machine. */
export interface LocalPython {
  /** The folder of the real program of `python3`: a version manager may be in front of it. */
  readonly folder: string;
  readonly version: string;
  /** The folders that it needs: its installation, and its virtual environment if it is in one. */
  readonly installation: readonly string[];
}

const ASK =
  "import sys; print(sys.executable, '%d.%d.%d' % sys.version_info[:3], sys.prefix, sys.base_prefix, sep='\\n')";

/**
 * The `python3` on the PATH.
 *
 * @param oldest the second number of the oldest accepted version
 * @returns the Python, or one line about what was found instead
 */
export async function findPython(run: RunProgram, oldest: number): Promise<LocalPython | string> {
  const wanted = `there is no Python 3.${oldest} or newer`;
  let text: string;
  try {
    text = await run("python3", ["-c", ASK]);
  } catch {
    return `${wanted}: no python3 on the PATH`;
  }
  const [program = "", version = "", ...prefixes] = text.trimEnd().split("\n");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major !== 3 || minor < oldest) return `${wanted}: python3 on the PATH is ${version} (${program})`;
  return { folder: dirname(program), version, installation: [...new Set(prefixes)] };
}
