import { readText, runService } from "@kindling/service";
import { connectCluster } from "./cluster/connect-cluster.ts";
import { loadConfig } from "./config/load-config.ts";
import { USAGE } from "./config/program.ts";
import { startStagingServer } from "./server/staging-server.ts";

/** The command `kindling-staging-server`. */
runService(USAGE, async (args, { outside: { clock, random, env }, onFatal }) => {
  const config = loadConfig({ args, env, readFile: readText });
  return await startStagingServer(config, { clock, random, env, log: process.stdout, connectCluster, onFatal });
});
