import { judge } from "./judge.mjs";
import { scale } from "./gateway/scale.mjs";

/** What a gateway costs and gives, with many applications. */
export async function gateway() {
  return judge(await scale());
}
