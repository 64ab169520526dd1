import { createUndo } from "@kindling/controller";
import { connect, memoryParts, readText, runService } from "@kindling/service";
import { loadSteps } from "@kindling/steps/modules";
import { loadConfig } from "./config/load-config.ts";
import { USAGE } from "./config/program.ts";
import { memoryBeside, startInnerRecorder } from "./recorder/inner-recorder.ts";
import { startGateway } from "./server/gateway.ts";

/** The command `kindling-gateway`. */
runService(USAGE, async (args, { outside }) => {
  const { clock, random, env, cwd } = outside;
  const config = loadConfig({ args, env, readFile: readText });
  const steps = await loadSteps(config["executors.steps"], cwd, "executors.steps");
  const undo = createUndo();
  try {
    // It ends after the gateway, which may still ask it.
    const recorder = await startInnerRecorder(config, { outside, log: process.stdout });
    undo.add(() => recorder?.stop());
    const client = await connect(config["cluster.kubeconfig"], "kindling-gateway");
    undo.add(() => client.close());
    const gateway = await startGateway(
      { ...config, ...recorder?.settings },
      { clock, random, client, steps, log: process.stdout, memory: memoryBeside(recorder, memoryParts()) },
    );
    undo.add(() => gateway.stop());
    return { stop: () => undo.run() };
  } catch (error) {
    await undo.run();
    throw error;
  }
});
