// @ts-check
// The main job, shown: word counts with two executors each, submitted by `kindling submit`. On a machine without a
// cluster by default; `--cluster` takes that of the current kubeconfig.
import { parseArgs } from "node:util";
import { embeddedDemo } from "./demo/embedded.js";
import { say } from "./demo/say.js";

const USAGE = `usage: npm run demo -- [--yes] [--cluster]

  --yes      fetch Spark from PyPI (about 450 MB, into the user's cache) without asking, if there is none
  --cluster  use the cluster of the current kubeconfig instead of one in a process of this machine
`;

/** @returns {Promise<number>} the exit code */
async function demo() {
  const options = /** @type {const} */ ({
    cluster: { type: "boolean", default: false },
    yes: { type: "boolean", short: "y", default: false },
    help: { type: "boolean", short: "h", default: false },
  });
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (values.cluster) return (await import("./demo/on-cluster.js")).clusterDemo();
  return embeddedDemo(values);
}

try {
  process.exitCode = await demo();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
