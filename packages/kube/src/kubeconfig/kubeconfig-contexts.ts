import { homedir } from "node:os";
import { systemClock } from "@kindling/outside";
import { DEFAULT_CREDENTIAL_TIMES } from "../credentials/credential-times.ts";
import { findKubeconfigs } from "./find-kubeconfigs.ts";
import { textField } from "./kubeconfig-entry.ts";
import type { LoadOptions } from "./load-options.ts";
import { fileReader } from "./read-file.ts";

/** A context of the kubeconfig. */
export interface KubeconfigContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly isCurrent: boolean;
}

/**
 * The contexts of the kubeconfig files that kubectl would read, in their order; empty if there is no kubeconfig.
 *
 * Rejects with a KubeError of kind `config` for an invalid kubeconfig.
 */
export async function kubeconfigContexts(
  options: Pick<LoadOptions, "env" | "clock" | "homeDir" | "readFile" | "kubeconfigPath"> = {},
): Promise<KubeconfigContext[]> {
  const { env = process.env, clock = systemClock, homeDir = homedir(), kubeconfigPath } = options;
  const { noticeMs, timeoutMs } = DEFAULT_CREDENTIAL_TIMES;
  const readFile = options.readFile ?? fileReader({ clock, noticeMs, onWait: () => {} }, timeoutMs);
  const config = await findKubeconfigs({ env, homeDir, readFile, kubeconfigPath });
  const entries = [...(config?.contexts.values() ?? [])];
  return entries.map((entry) => ({
    name: entry.name,
    namespace: textField(entry, "namespace"),
    isCurrent: entry.name === config?.currentContext,
  }));
}
