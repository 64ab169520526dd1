// @ts-check
import { join } from "node:path";
import { judge } from "./harness/judge.mjs";
import { scale } from "./gateway/scale.mjs";
import { shares } from "./gateway/shares.mjs";

/**
 * The cost and the benefit of a gateway with many applications. Writes a picture of the shares of queues to the folder of
 * results.
 *
 * @param {string} folder
 */
export async function gateway(folder) {
  return judge([...(await scale()), ...(await shares(join(folder, "gateway-shares.svg")))]);
}
