// @ts-check
import { inNamespace } from "../harness/api-server.mjs";
import { followNodes } from "./follow-nodes.mjs";
import { withNodePool } from "./node-pool.mjs";

/** @typedef {import("../gateway/shares/run-application.mjs").Way} Way */
/** @typedef {import("./follow-nodes.mjs").SeenNodes} SeenNodes */

/**
 * Runs something in a namespace and with a NodePool of its own, whose nodes are followed.
 *
 * @template T
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {{ name: string, cpus: number, way: import("./ways.mjs").Way }} options the pool's name without the way's, and its limit
 * @param {(way: Way, nodes: SeenNodes) => Promise<T>} run
 */
export async function onNodePool(server, { name, cpus, way }, run) {
  const { client } = server;
  const pool = `${name}-${way.id}`;
  return await withNodePool(client, { name: pool, cpus }, () =>
    inNamespace(server, pool, async (namespace) => {
      const nodes = await followNodes(client, { namespace, pool });
      const place = await way.begin(server, namespace);
      try {
        return await run({ client, namespace, isGated: way.isGated, uri: place.uri, ca: place.ca }, nodes);
      } finally {
        await place.stop();
        await nodes.stop();
      }
    }),
  );
}
