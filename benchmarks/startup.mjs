// @ts-check
import { compare } from "./harness/compare.mjs";
import { mebibytes, seconds } from "./harness/figures.mjs";
import { startStub } from "./harness/stub.mjs";
import { table } from "./harness/table.mjs";
import { KINDLING, submissionArguments } from "./submission.mjs";

/**
 * `kindling --version` compared with a Node that does nothing, after a submission has filled the cache of V8's compiled code.
 */
export async function startup() {
  const stub = await startStub();
  const args = [KINDLING, "submit", ...submissionArguments(stub.address, "4.3.0")];
  await compare(1, { submission: { command: process.execPath, args, env: { KUBECONFIG: "/dev/null" } } });
  await stub.stop();
  const { node, ours } = await compare(31, {
    node: { command: process.execPath, args: ["-e", "0"] },
    ours: { command: process.execPath, args: [KINDLING, "--version"] },
  });
  return table([
    ["measured", "node -e 0", "kindling --version", "ratio", "wanted"],
    ["wall time", seconds(node.wall), seconds(ours.wall), `${(ours.wall / node.wall).toFixed(2)}×`, "at most 2×"],
    ["peak memory", mebibytes(node.memory), mebibytes(ours.memory), `${(ours.memory / node.memory).toFixed(2)}×`, ""],
  ]);
}
