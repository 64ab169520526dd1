import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Ended, KINDLING_BIN } from "./kindling.ts";
import type { TestNamespace } from "./test-cluster.ts";

/** A Python with clients of Spark Connect; see `connect-clients/requirements.in`. */
export const CONNECT_PYTHON: string | undefined = process.env["KINDLING_E2E_CONNECT_PYTHON"];

const INSTALLED = CONNECT_PYTHON === undefined ? [] : packagesOf(CONNECT_PYTHON);

/** Why a client is not tried, for the title of its test; empty if that Python has all of its packages. */
export function lacking(...packages: readonly string[]): string {
  if (CONNECT_PYTHON === undefined) return " (KINDLING_E2E_CONNECT_PYTHON names no Python)";
  const missing = packages.filter((name) => !INSTALLED.some((one) => one === name));
  return missing.length === 0 ? "" : ` (the Python of KINDLING_E2E_CONNECT_PYTHON has no ${missing.join(", no ")})`;
}

function packagesOf(python: string): readonly string[] {
  const names = "(one.metadata['Name'] for one in importlib.metadata.distributions())";
  const program = `import importlib.metadata; print(*${names})`;
  return execFileSync(python, ["-c", program], { encoding: "utf8" })
    .trim()
    .toLowerCase()
    .replaceAll("_", "-")
    .split(" ");
}

/** A file or folder of `connect-clients`. */
export function clientFile(name: string): string {
  return fileURLToPath(new URL(`../connect-clients/${name}`, import.meta.url));
}

/** Runs programs of that Python in a folder of their own. */
export class ConnectClients {
  readonly folder: string = mkdtempSync(join(tmpdir(), "kindling-e2e-clients-"));
  readonly #end = new AbortController();

  /** @param name of a command in the Python's own folder, such as `dbt` */
  run(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.#run(commandOf(name), args, env);
  }

  /** The same, with the connection that `kindling connect` makes to a port of this machine. */
  runAs(
    {
      account,
      namespace,
      port,
    }: { readonly account: string; readonly namespace: TestNamespace; readonly port: number },
    [name, ...args]: readonly [string, ...string[]],
  ): Promise<Ended> {
    const connection = ["--address", `sc://localhost:${port}`, "--as-account", account, "-n", namespace.name];
    const command = ["connect", ...connection, "--", commandOf(name), ...args];
    return this.#run(process.execPath, [KINDLING_BIN, ...command], {});
  }

  #run(program: string, args: readonly string[], more: NodeJS.ProcessEnv): Promise<Ended> {
    const env = {
      ...process.env,
      IPYTHONDIR: join(this.folder, "ipython"),
      JUPYTER_RUNTIME_DIR: join(this.folder, "jupyter"),
      AIRFLOW_HOME: join(this.folder, "airflow"),
      // Colours would stand between the words that are looked for.
      NO_COLOR: "1",
      ...more,
    };
    const options = { cwd: this.folder, env, signal: this.#end.signal, maxBuffer: 2 ** 24 };
    return new Promise((resolve) => {
      const child = execFile(program, args, options, (_, out, err) => resolve({ exit: child.exitCode ?? 1, out, err }));
    });
  }

  /** Ends programs that are left, too. */
  remove(): void {
    this.#end.abort();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function commandOf(name: string): string {
  return join(dirname(CONNECT_PYTHON ?? ""), name);
}
