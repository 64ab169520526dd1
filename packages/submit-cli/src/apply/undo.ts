import type { KubernetesResource } from "@kindling/core-spec";
import { isConflict, isKubeError, isNotFound, resources, type KubeClient } from "@kindling/kube";
import type { CreatedPod } from "./created-pod.ts";

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
    run: () => client.delete(resources.pods, name, { namespace, preconditions: { uid } }),
    command: removePod(pod),
  };
}

/** Deletes what was applied, or was about to be. */
export function undoApply(client: KubeClient, { apiVersion, kind, metadata }: KubernetesResource): Undo {
  const { name, namespace } = metadata;
  return {
    run: async () => client.delete(await client.resourceFor(apiVersion, kind), name, { namespace }),
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
      if (!isSaidToBeGone(error) && !isConflict(error)) commands.push(command);
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

/** Whether the API server itself says that an object is not there: a 404 without its own words may be anybody's. */
export function isSaidToBeGone(error: unknown): boolean {
  return isNotFound(error) && isKubeError(error) && error.kind === "status" && error.reason === "NotFound";
}
