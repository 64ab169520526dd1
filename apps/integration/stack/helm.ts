import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fetchedServer } from "@kindling/test-kit/real-server";

const run = promisify(execFile);

/** The helm that `servers/fetch.mjs` of the test kit fetched, or the one on the PATH. */
export const HELM = process.env["KINDLING_HELM"] ?? fetchedServer("bin/helm") ?? "helm";

/** Runs helm on the cluster of KUBECONFIG. @returns its output */
export async function helm(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  try {
    const { stdout } = await run(HELM, args, { env: { ...process.env, ...env }, timeout: 240_000 });
    return stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error("helm is not there: node packages/test-kit/servers/fetch.mjs helm", { cause: error });
  }
}

/** Uninstalls a release with its cluster-wide objects, which would outlive its namespace. It is no error if there is none. */
export async function uninstallIfThere(release: string, namespace: string): Promise<void> {
  await helm(["uninstall", release, "--namespace", namespace, "--ignore-not-found", "--wait", "--timeout", "2m"]);
}
