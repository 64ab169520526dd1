import type { KubernetesResource } from "@kindling/core-spec";
import { isNotFound, resources, type KubeClient } from "@kindling/kube";
import type { CreatedPod } from "./created-pod.ts";

/** How to take away one thing that was made. */
export interface Undo {
  readonly run: () => Promise<void>;
  /** The command by which a person would. */
  readonly command: string;
}

/** Deletes the driver pod. What belongs to it goes with it: the garbage collector sees to that. */
export function undoPod(client: KubeClient, { name, namespace }: CreatedPod): Undo {
  return {
    run: () => client.delete(resources.pods, name, { namespace }),
    command: `kubectl -n ${namespace} delete pod ${name}`,
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
      if (!isNotFound(error)) commands.push(command);
    }
  }
  return commands.length === 0 ? undefined : `what was made could not be taken away: ${commands.join("; ")}`;
}
