import { connect, readText, runService } from "@kindling/service";
import { loadConfig } from "./config/load-config.ts";
import { USAGE } from "./config/program.ts";
import { startRecorderServer } from "./server/recorder-server.ts";

/** The command `kindling-recorder`. */
runService(USAGE, async (args, { outside }) => {
  const config = loadConfig({ args, env: outside.env, readFile: readText });
  const client = await connect(config["cluster.kubeconfig"], "kindling-recorder");
  const server = await startRecorderServer(config, { outside, client, log: process.stdout });
  return {
    async stop() {
      await server.stop();
      client.close();
    },
  };
});
