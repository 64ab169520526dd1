// @ts-check
// A demo of the main job: word counts with two executors each, submitted by `kindling submit`. By default it runs on a
// machine without a cluster; `--cluster` uses that of the current kubeconfig.
import { parseArgs } from "node:util";
import { embeddedDemo } from "./demo/embedded.js";
import { say } from "./demo/say.js";

const LIMIT_MINUTES = 10;

const USAGE = `usage: npm run demo -- [--yes] [--cluster [--time-limit MINUTES]]

  --yes         fetch Spark from PyPI (about 450 MB, into the user's cache) without asking, if there is none; without a
                terminal, where nobody can be asked, it is fetched as well
  --cluster     use the cluster of the current kubeconfig instead of one in a process of this machine
  --time-limit  with --cluster: after so many minutes it tells why it waits, and gives up; default: ${LIMIT_MINUTES}
`;

/** @returns {Promise<number>} the exit code */
async function demo() {
  const options = /** @type {const} */ ({
    cluster: { type: "boolean", default: false },
    "time-limit": { type: "string", default: String(LIMIT_MINUTES) },
    yes: { type: "boolean", short: "y", default: false },
    help: { type: "boolean", short: "h", default: false },
  });
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (values.cluster) {
    const minutes = Number(values["time-limit"]);
    if (!(minutes > 0)) throw new Error(`--time-limit ${values["time-limit"]}: must be a number of minutes`);
    return (await import("./demo/on-cluster.js")).clusterDemo({ limitMs: minutes * 60_000 });
  }
  return embeddedDemo(values);
}

try {
  process.exitCode = await demo();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
