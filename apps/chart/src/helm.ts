import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fetchedServer } from "@kindling/test-kit/real-server";

/** The path of Helm. */
export const PROGRAM: string = fetchedServer("bin/helm") ?? "";

/** Whether Helm is installed on this machine; see the test kit's `servers/README.md`. */
export const hasHelm: boolean = PROGRAM !== "";

/** For the titles of tests that are skipped without it. */
export const WHERE_HELM_IS: string = hasHelm ? "" : " (skipped: node packages/test-kit/servers/fetch.mjs helm)";

export const CHART: string = fileURLToPath(new URL("../../../deploy/helm/kindling", import.meta.url));

/** The chart of the operator. */
export const OPERATOR_CHART: string = fileURLToPath(new URL("../../../deploy/helm/kindling-operator", import.meta.url));

const [, APP_VERSION_THERE = ""] = /^appVersion: (.*)$/m.exec(readFileSync(join(CHART, "Chart.yaml"), "utf8")) ?? [];

/** The version that the charts install. */
export const APP_VERSION: string = APP_VERSION_THERE;

const run = promisify(execFile);

/**
 * Runs Helm, and returns its output. Its home is a folder that nobody can make, so that Helm neither reads the user's settings
 * nor leaves a cache: root would make any other missing folder.
 *
 * @param kubeconfig the cluster; without it Helm finds none
 * @throws Error with Helm's message
 */
export async function helm(args: readonly string[], kubeconfig = "/nowhere"): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: "/proc/nowhere", KUBECONFIG: kubeconfig };
  const { stdout } = await run(PROGRAM, args, { env, maxBuffer: 64 << 20 });
  return stdout;
}
