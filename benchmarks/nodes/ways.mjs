// @ts-check
import { giveDriversRights } from "../gateway/driver-rights.mjs";
import { gatewayProcess } from "../gateway/gateway-process.mjs";

/** @typedef {import("../harness/api-server.mjs").ApiServer} ApiServer */
/** @typedef {{ uri: string, ca: string, stop: () => Promise<void> }} Place where drivers request executors */

/**
 * A way to schedule applications.
 *
 * @typedef {object} Way
 * @property {string} name for people
 * @property {string} id for names of objects
 * @property {boolean} isGated
 * @property {(server: ApiServer, namespace: string) => Promise<Place>} begin
 */

/** @type {Way} */
export const STOCK = {
  name: "Spark's own scheduling",
  id: "stock",
  isGated: false,
  async begin({ client, access }, namespace) {
    await giveDriversRights(client, namespace);
    return { uri: access.server, ca: access.tls.ca ?? "", stop: () => Promise.resolve() };
  },
};

/** A queue that holds pods back until the nodes that are there have room. @type {Way} */
export const GATED = {
  name: "a queue that counts the nodes that are there",
  id: "gated",
  isGated: true,
  begin: gatewayWith("nodes"),
};

/** @type {Way} */
export const AUTO = { name: "the gateway", id: "auto", isGated: true, begin: gatewayWith("auto") };

/**
 * @param {string} capacity
 * @returns {Way["begin"]}
 */
function gatewayWith(capacity) {
  return async ({ kubeconfig }, namespace) =>
    await gatewayProcess({ kubeconfig, namespace, settings: ["--capacity", capacity] });
}
