// @ts-check
import { inNamespace } from "../harness/api-server.mjs";
import { followNodes } from "./follow-nodes.mjs";
import { withNodePool } from "./node-pool.mjs";

/** @typedef {import("../gateway/shares/run-application.mjs").Way} Way */
/** @typedef {import("./follow-nodes.mjs").SeenNodes} SeenNodes */

/**
 * Runs something in a namespace and with a NodePool of its own, whose nodes are followed. The pods go to no other nodes.
 *
 * @template T
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {{ name: string, cpus: number, consolidation?: import("./node-pool.mjs").Consolidation, way: import("./ways.mjs").Way }} options the pool, and its name without the way's
 * @param {(way: Way, nodes: SeenNodes) => Promise<T>} run
 */
export async function onNodePool(server, { name, way, ...options }, run) {
  const { client } = server;
  const pool = `${name}-${way.id}`;
  return await withNodePool(client, { ...options, name: pool }, () =>
    inNamespace(server, pool, async (namespace) => {
      const nodes = await followNodes(client, { namespace, pool });
      const place = await way.begin(server, namespace);
      try {
        const placement = { nodeSelector: { "karpenter.sh/nodepool": pool } };
        const { uri, ca } = place;
        return await run({ client, namespace, isGated: way.isGated, uri, ca, placement }, nodes);
      } finally {
        await place.stop();
        await nodes.stop();
      }
    }),
  );
}
