import type { KubernetesResource } from "@kindling/core-spec";
import {
  isConflict,
  isKubeError,
  isObjectNotFound,
  resources,
  type DeleteOptions,
  type KubeClient,
  type ResourceType,
} from "@kindling/kube";
import type { CreatedPod } from "../cluster/created-pod.ts";

/** How to take away one thing that was made. */
export interface Undo {
  readonly run: () => Promise<void>;
  /** The command by which a person would. */
  readonly command: string;
}

/**
 * Whether a write may have been carried out although it failed: its answer was lost, or is one that no API server gives,
 * so that something on the way has answered.
 */
export function mayHaveHappened(error: unknown): boolean {
  return isKubeError(error) && (error.mayHaveHappened || error.kind === "protocol");
}

/** The command by which a person deletes a pod. */
export function removePod({ name, namespace }: Pick<CreatedPod, "name" | "namespace">): string {
  return `kubectl -n ${namespace} delete pod ${name}`;
}

/** Deletes the driver pod. What belongs to it goes with it: the garbage collector sees to that. */
export function undoPod(client: KubeClient, pod: CreatedPod): Undo {
  const { name, namespace, uid } = pod;
  return {
    run: () => deleteIfThere(client, resources.pods, name, { namespace, preconditions: { uid } }),
    command: removePod(pod),
  };
}

/** Deletes what was applied, or was about to be. */
export function undoApply(client: KubeClient, { apiVersion, kind, metadata }: KubernetesResource): Undo {
  const { name, namespace } = metadata;
  return {
    run: async () => deleteIfThere(client, await client.resourceFor(apiVersion, kind), name, { namespace }),
    command: `kubectl -n ${namespace} delete ${kind.toLowerCase()} ${name}`,
  };
}

/** Takes everything away, in order; what is left after that, as a sentence for the user, or `undefined`. */
export async function leftBehind(undo: readonly Undo[]): Promise<string | undefined> {
  const commands: string[] = [];
  for (const { run, command } of undo) {
    try {
      await run();
    } catch (error) {
      // A 409 says that the name is another's by now.
      if (!isConflict(error)) commands.push(command);
    }
  }
  return commands.length === 0 ? undefined : `what was made could not be taken away: ${commands.join("; ")}`;
}

/** What stays because another call may rely on it, as a sentence for the user, or `undefined` if there is nothing. */
export function leftAlone(undo: readonly Undo[]): string | undefined {
  if (undo.length === 0) return undefined;
  const commands = undo.map(({ command }) => command).join("; ");
  return `what was made stays, since another call with this submission id may rely on it; submit again to complete it, or remove it: ${commands}`;
}

/** What the API server says is not there needs no deletion; a 404 without its own words may be anybody's. */
async function deleteIfThere(
  client: KubeClient,
  type: ResourceType,
  name: string,
  options: DeleteOptions,
): Promise<void> {
  try {
    await client.delete(type, name, options);
  } catch (error) {
    if (!isObjectNotFound(error, type, name)) throw error;
  }
}
