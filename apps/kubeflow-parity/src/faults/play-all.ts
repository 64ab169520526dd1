import { resources } from "@kindling/kube";
import { makeNamespace, type RoundFault, type Stage } from "@kindling/operator/testing";

/** The result of a round. */
export interface Played {
  readonly deaths: number;
  readonly faults: readonly RoundFault[];
}

export interface PlayOptions<T, R extends Played> {
  /** A word for the names of the namespaces. */
  readonly what: string;
  /** How many rounds are played at the same time. */
  readonly atOnce: number;
  readonly rounds: Iterable<T>;
  readonly play: (namespace: string, round: T) => Promise<R>;
}

/**
 * Plays rounds, each in a namespace of its own.
 *
 * @returns their results, in the order in which they ended
 */
export async function playAll<T, R extends Played>(
  stage: Stage,
  { what, atOnce, rounds, play }: PlayOptions<T, R>,
): Promise<R[]> {
  const left = [...rounds].values();
  const results: R[] = [];
  let made = 0;
  const fresh = async (): Promise<string> => {
    made += 1;
    const namespace = `kindling-crash-${process.pid}-${what}-${made}`;
    await makeNamespace(stage, namespace);
    return namespace;
  };
  const work = async (): Promise<void> => {
    let namespace = await fresh();
    for (const round of left) {
      const result = await play(namespace, round);
      results.push(result);
      if (result.faults.length === 0) await clearNamespace(stage, namespace);
      // Objects of the round may still be there.
      else namespace = await fresh();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/**
 * Empties a namespace after its application is gone, so that it can be used again. This is cheaper than a new namespace:
 * deleting a namespace costs an API server a lot.
 */
async function clearNamespace({ client, bystander }: Stage, name: string): Promise<void> {
  const fieldSelector = "metadata.name!=default,metadata.name!=spark";
  await client.deleteCollection(resources.serviceaccounts, { namespace: name, fieldSelector });
  bystander.forget(name);
}
