import { fileURLToPath } from "node:url";
import { measure, mebibytes, seconds, table } from "./measure.mjs";

const KINDLING = fileURLToPath(new URL("../packages/submit-cli/bin/kindling.js", import.meta.url));

/** `kindling --version` against a Node that does nothing. */
export async function startup() {
  const node = measure(31, process.execPath, ["-e", "0"]);
  const ours = measure(31, process.execPath, [KINDLING, "--version"]);
  return table([
    ["measured", "node -e 0", "kindling --version", "ratio", "wanted"],
    ["wall time", seconds(node.wall), seconds(ours.wall), `${(ours.wall / node.wall).toFixed(2)}×`, "at most 2×"],
    ["peak memory", mebibytes(node.memory), mebibytes(ours.memory), `${(ours.memory / node.memory).toFixed(2)}×`, ""],
  ]);
}
