import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What is needed to run cases. */
export interface Tools {
  /** The root of the checkout. */
  readonly root: string;
  /** `bin/kindling.js` */
  readonly kindling: string;
  /** PATH, with `kindling` and `kindling-dev` in front, and HOME. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder of a Spark version; it may be missing. */
  readonly sparkHome: (version: string) => string;
  readonly helm: string;
  /** The kubeconfig of a cluster, for the cases that need one. */
  readonly kubeconfig: string | undefined;
  /** A folder of this run for a single use. */
  readonly scratch: (name: string) => string;
  /** Removes all folders of this run. */
  readonly remove: () => void;
}

/** @param sparks a folder with a Spark for each version, named after it */
export function makeTools(root: string, sparks: string, env: NodeJS.ProcessEnv): Tools {
  const folder = mkdtempSync(join(tmpdir(), "public-cases-"));
  const kindling = join(root, "packages", "submit-cli", "bin", "kindling.js");
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const programs = { kindling, "kindling-dev": join(root, "packages", "dev", "bin", "kindling-dev.js") };
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const home = join(folder, "home");
  mkdirSync(home);
  return {
    root,
    kindling,
    environment: { PATH: `${bin}:${env["PATH"] ?? ""}`, HOME: home, LANG: "C.UTF-8", NO_COLOR: "1" },
    sparkHome: (version) => join(sparks, version),
    helm: env["KINDLING_HELM"] ?? "helm",
    kubeconfig: env["KUBECONFIG"],
    scratch: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Copies a case's folder to a writable one. */
export function copied(folder: string, tools: Tools): string {
  const copy = tools.scratch("copy");
  rmSync(copy, { recursive: true, force: true });
  cpSync(folder, copy, { recursive: true });
  return copy;
}
