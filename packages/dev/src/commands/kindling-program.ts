import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Env } from "@kindling/outside";
import type { InstanceStatus } from "../control/instance-status.ts";

const require = createRequire(import.meta.url);

/** How to run `kindling` with an instance: the arguments of Node, and the environment. */
export function kindlingProgram(
  { kubeconfig, confDir }: InstanceStatus,
  args: readonly string[],
  env: Env,
): { readonly args: readonly string[]; readonly env: Env } {
  const manifest = require.resolve("@kindling/submit-cli/package.json");
  return {
    args: [join(dirname(manifest), "bin", "kindling.js"), ...args],
    env: { ...env, KUBECONFIG: kubeconfig, SPARK_CONF_DIR: confDir },
  };
}
