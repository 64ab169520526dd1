import { connect, readText, runService } from "@kindling/service";
import { loadSteps } from "@kindling/steps/modules";
import { loadConfig } from "./config/load-config.ts";
import { USAGE } from "./config/program.ts";
import { readDefaults } from "./server/defaults.ts";
import { startSubmissionServer } from "./server/submission-server.ts";

/** The command `kindling-serve`. */
runService(USAGE, async (args, { outside }) => {
  const config = loadConfig({ args, env: outside.env, readFile: readText });
  const defaults = readDefaults(config["submit.defaultsFile"], readText);
  const steps = await loadSteps(config["submit.steps"], outside.cwd, "submit.steps");
  const client = await connect(config["cluster.kubeconfig"], "kindling-serve");
  const server = await startSubmissionServer(config, { outside, client, defaults, steps, log: process.stdout });
  return {
    async stop() {
      await server.stop();
      client.close();
    },
  };
});
