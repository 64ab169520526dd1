// @ts-check
import { join } from "node:path";
import { judge } from "./harness/judge.mjs";
import { scale } from "./gateway/scale.mjs";
import { shares } from "./gateway/shares.mjs";

/**
 * What a gateway costs and gives, with many applications. Draws the shares of queues in the folder of results.
 *
 * @param {string} folder
 */
export async function gateway(folder) {
  return judge([...(await scale()), ...(await shares(join(folder, "gateway-shares.svg")))]);
}
