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

/** How to delete one thing that was created. */
export interface Undo {
  readonly run: () => Promise<void>;
  /** The command for doing the same by hand. */
  readonly command: string;
}

/**
 * Whether a failed write may have been carried out: its answer was lost, or the answer is not one of an API server, so
 * something between has answered.
 */
export function mayHaveHappened(error: unknown): boolean {
  return isKubeError(error) && (error.mayHaveHappened || error.kind === "protocol");
}

/** The command for deleting a pod by hand. */
export function removePod({ name, namespace }: Pick<CreatedPod, "name" | "namespace">): string {
  return `kubectl -n ${namespace} delete pod ${name}`;
}

/** Deletes the driver pod. The garbage collector deletes what belongs to it. */
export function undoPod(client: KubeClient, pod: CreatedPod): Undo {
  const { name, namespace, uid } = pod;
  return {
    run: () => deleteIfThere(client, resources.pods, name, { namespace, preconditions: { uid } }),
    command: removePod(pod),
  };
}

/** Deletes an object that was applied, or was about to be. */
export function undoApply(client: KubeClient, { apiVersion, kind, metadata }: KubernetesResource): Undo {
  const { name, namespace } = metadata;
  return {
    run: async () => deleteIfThere(client, await client.resourceFor(apiVersion, kind), name, { namespace }),
    command: `kubectl -n ${namespace} delete ${kind.toLowerCase()} ${name}`,
  };
}

/** Undoes everything in order. Returns a sentence for the user about what is left after that, or `undefined`. */
export async function leftBehind(undo: readonly Undo[]): Promise<string | undefined> {
  const commands: string[] = [];
  for (const { run, command } of undo) {
    try {
      await run();
    } catch (error) {
      // A 409 says that the name belongs to another object by now.
      if (!isConflict(error)) commands.push(command);
    }
  }
  return commands.length === 0 ? undefined : `what was made could not be taken away: ${commands.join("; ")}`;
}

/** What is not deleted because another call may rely on it, as a sentence for the user; `undefined` if there is nothing. */
export function leftAlone(undo: readonly Undo[]): string | undefined {
  if (undo.length === 0) return undefined;
  const commands = undo.map(({ command }) => command).join("; ");
  return `what was made stays, since another call with this submission id may rely on it; submit again to complete it, or remove it: ${commands}`;
}

/**
 * If the API server says that an object does not exist, nothing has to be deleted. A 404 without the API server's own words
 * may come from something else.
 */
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
