import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { HELM } from "./helm.ts";

const KINDLING = join(
  dirname(createRequire(import.meta.url).resolve("@kindling/submit-cli/package.json")),
  "bin",
  "kindling.js",
);

/** A user with helm and kindling and an own folder, who types commands into a shell. */
export class Typist {
  /** The commands so far. */
  readonly typed: string[] = [];
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /** @param folder the user's folder */
  constructor(folder: string) {
    this.#folder = folder;
    const home = join(folder, ".home");
    const bin = join(home, "bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(KINDLING, join(bin, "kindling"));
    if (HELM.includes("/")) symlinkSync(resolve(HELM), join(bin, "helm"));
    // Without the settings of this machine's user.
    this.#env = {
      HOME: home,
      PATH: [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter),
      KUBECONFIG: resolve(process.env["KUBECONFIG"] ?? ""),
    };
  }

  /** Types a command, and returns its output. @throws if it fails */
  async type(command: string): Promise<string> {
    this.typed.push(command);
    return await new Promise((resolve, reject) => {
      const options = { cwd: this.#folder, env: this.#env, timeout: 280_000, maxBuffer: 64 * 1024 * 1024 };
      execFile("/bin/sh", ["-c", command], options, (error, out, err) => {
        if (error === null) resolve(out);
        else reject(new Error(`${command}\n${out}${err}`, { cause: error }));
      });
    });
  }
}
