import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compare, mebibytes, seconds, table } from "./measure.mjs";

const KINDLING = fileURLToPath(new URL("../packages/submit-cli/bin/kindling.js", import.meta.url));

/** `kindling --version` against a Node that does nothing, once a submission has left what V8 has compiled. */
export async function startup() {
  spawnSync(process.execPath, [
    KINDLING,
    "submit",
    "--dry-run",
    "--master",
    "k8s://http://127.0.0.1:1",
    "local:///pi.py",
  ]);
  const { node, ours } = compare(31, {
    node: { each: 1, program: process.execPath, args: ["-e", "0"] },
    ours: { each: 1, program: process.execPath, args: [KINDLING, "--version"] },
  });
  return table([
    ["measured", "node -e 0", "kindling --version", "ratio", "wanted"],
    ["wall time", seconds(node.wall), seconds(ours.wall), `${(ours.wall / node.wall).toFixed(2)}×`, "at most 2×"],
    ["peak memory", mebibytes(node.memory), mebibytes(ours.memory), `${(ours.memory / node.memory).toFixed(2)}×`, ""],
  ]);
}
