import { connect, readText, runService } from "@kindling/service";
import { loadSteps } from "@kindling/steps/modules";
import { loadConfig } from "./config/load-config.ts";
import { USAGE } from "./config/program.ts";
import { startGateway } from "./server/gateway.ts";

/** The command `kindling-gateway`. */
runService(USAGE, async (args, { outside: { clock, random, env, cwd } }) => {
  const config = loadConfig({ args, env, readFile: readText });
  const steps = await loadSteps(config["executors.steps"], cwd, "executors.steps");
  const client = await connect(config["cluster.kubeconfig"], "kindling-gateway");
  const gateway = await startGateway(config, { clock, random, client, steps, log: process.stdout });
  return {
    async stop() {
      await gateway.stop();
      client.close();
    },
  };
});
