import type { Output } from "@kindling/command-line";
import { isKindlingError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { findApplication, findApplications, noApplication, type ApplicationName } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";

/**
 * The driver pods for a name or pattern: one for a name, all for a pattern. If there are none, the user is told.
 *
 * @throws KindlingError `ARGUMENT_INVALID` for a name that several have, KubeError
 */
export async function findPods(client: KubeClient, name: ApplicationName, output: Output): Promise<Pod[]> {
  const found = await podsOf(client, name);
  if (found.length === 0) tellMissing(client, name, output);
  return found;
}

/** The same, and nobody is told. */
export async function podsOf(client: KubeClient, name: ApplicationName): Promise<Pod[]> {
  return name.isPattern ? await findApplications(client, name) : await oneOrNone(client, name);
}

/** Tells the user that nothing has this name. */
export function tellMissing(client: KubeClient, name: ApplicationName, output: Output): void {
  const { message, hint = "" } = noApplication(client, name);
  output.err(`error: ${message}\nhint: ${hint}\n`);
}

async function oneOrNone(client: KubeClient, name: ApplicationName): Promise<Pod[]> {
  try {
    return [await findApplication(client, name)];
  } catch (error) {
    if (isKindlingError(error) && error.code === "OBJECT_NOT_FOUND") return [];
    throw error;
  }
}
