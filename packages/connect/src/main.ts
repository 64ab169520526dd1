import { connect, readText, runService } from "@kindling/service";
import { loadSteps } from "@kindling/steps/modules";
import { loadConfig } from "./config/load-config.ts";
import { USAGE } from "./config/program.ts";
import { startConnectServer } from "./server/connect-server.ts";

/** The command `kindling-connect`. */
runService(USAGE, async (args, { outside }) => {
  const config = loadConfig({ args, env: outside.env, readFile: readText });
  const steps = await loadSteps(config["drivers.steps"], outside.cwd, "drivers.steps");
  const client = await connect(config["cluster.kubeconfig"], "kindling-connect");
  const server = await startConnectServer(config, { outside, client, steps, log: process.stdout });
  return {
    async stop() {
      await server.stop();
      client.close();
    },
  };
});
