import { resources } from "@kindling/kube";
import { makeNamespace, type RoundFault, type Stage } from "@kindling/operator/testing";

/** What came of a round. */
export interface Played {
  readonly deaths: number;
  readonly faults: readonly RoundFault[];
}

export interface PlayOptions<T, R extends Played> {
  /** In the namespaces' names. */
  readonly what: string;
  /** So many at a time. */
  readonly atOnce: number;
  readonly rounds: Iterable<T>;
  readonly play: (namespace: string, round: T) => Promise<R>;
}

/**
 * Plays rounds, each in a namespace that nothing else is in.
 *
 * @returns what came of them, in the order of their ends
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
      // Something of it may still be there.
      else namespace = await fresh();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** Makes a namespace whose application is gone as good as a new one, which is cheaper: its end costs an API server a lot. */
async function clearNamespace({ client, bystander }: Stage, name: string): Promise<void> {
  const fieldSelector = "metadata.name!=default,metadata.name!=spark";
  await client.deleteCollection(resources.serviceaccounts, { namespace: name, fieldSelector });
  bystander.forget(name);
}
