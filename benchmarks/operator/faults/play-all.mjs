import { resources } from "@kindling/kube";
import { makeNamespace } from "./source.mjs";

/**
 * Plays rounds, so many at a time, each in a namespace that nothing else is in.
 *
 * @param {object} stage
 * @param {object} options
 * @param {string} options.what in the namespaces' names
 * @param {number} options.atOnce
 * @param {Iterable<T>} options.rounds
 * @param {(namespace: string, round: T) => Promise<{faults: readonly object[]}>} options.play
 * @returns {Promise<object[]>} what came of them, in the order of their ends
 * @template T
 */
export async function playAll(stage, { what, atOnce, rounds, play }) {
  const left = [...rounds].values();
  const results = [];
  let made = 0;
  const fresh = async () => {
    made += 1;
    const namespace = `kindling-crash-${process.pid}-${what}-${made}`;
    await makeNamespace(stage, namespace);
    return namespace;
  };
  const work = async () => {
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
async function clearNamespace({ client, bystander }, name) {
  const fieldSelector = "metadata.name!=default,metadata.name!=spark";
  await client.deleteCollection(resources.serviceaccounts, { namespace: name, fieldSelector });
  bystander.forget(name);
}
