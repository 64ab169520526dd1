import { paint, type CommandContext } from "@kindling/command-line";
import { harmlessText, isKindlingError } from "@kindling/core-spec";
import { isKubeError } from "@kindling/kube";
import { effectiveInstallation, type EffectiveEntry } from "@kindling/submit";
import { installedHere } from "./installed-here.ts";

const ANYWHERE = { master: undefined, context: undefined, namespace: undefined, conf: {} };

/**
 * The entries that an installation in the cluster adds to those of this machine. Without a cluster there are none; if the
 * cluster cannot be asked, the user is told.
 */
export async function installedEntries(
  own: readonly EffectiveEntry[],
  context: CommandContext,
): Promise<readonly EffectiveEntry[]> {
  const { output } = context;
  try {
    const found = await installedHere(own, ANYWHERE, context);
    if (found === undefined) return [];
    const origin = `the installation in namespace ${found.namespace}`;
    const given = Object.fromEntries(own.map(({ key, value }) => [key, value]));
    const added = Object.entries(effectiveInstallation(found, given).entries);
    return added.map(([key, value]) => ({ key, value, origin, hidden: [] }));
  } catch (error) {
    if (!isKindlingError(error)) throw error;
    if (!isNoCluster(error.cause)) {
      output.err(`${paint(output, "yellow", "note:")} no installation is shown: ${harmlessText(error.message)}\n`);
    }
    return [];
  }
}

function isNoCluster(cause: unknown): boolean {
  return isKubeError(cause) && cause.kind === "config" && cause.file === undefined;
}
