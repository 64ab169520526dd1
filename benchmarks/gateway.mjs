import { fileURLToPath } from "node:url";
import { judge } from "./judge.mjs";
import { scale } from "./gateway/scale.mjs";
import { shares } from "./gateway/shares.mjs";

const PLOT = fileURLToPath(new URL("results/gateway-shares.svg", import.meta.url));

/** What a gateway costs and gives, with many applications. */
export async function gateway() {
  return judge([...(await scale()), ...(await shares(PLOT))]);
}
