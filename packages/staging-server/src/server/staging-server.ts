import { createUndo } from "@kindling/controller";
import { systemOutside } from "@kindling/outside";
import type { ServerConfig } from "../config/server-config.ts";
import { openServer, type ServerOptions } from "./open-server.ts";
import { serve, type StagingServer } from "./serve.ts";

/**
 * Starts a server.
 *
 * @throws KindlingError if the configuration cannot be applied
 */
export async function startStagingServer(settings: ServerConfig, options: ServerOptions): Promise<StagingServer> {
  const stopping = new AbortController();
  const undo = createUndo();
  try {
    const outside = { ...systemOutside(), env: {}, ...options };
    const opened = await openServer(settings, outside, { stopping: stopping.signal, undo });
    const { uri, adminUri } = await serve(opened, undo);
    const { context } = opened;
    context.cleaner.start();
    context.scrub.start();
    const { descriptors, memory } = context.plan;
    context.log.info({ descriptors, memory }, "limits");
    const { store } = context.blobs;
    context.log.info({ uri, adminUri, store: store.kind, auth: context.authenticator.mode }, "serving");
    return {
      uri,
      adminUri,
      stop() {
        stopping.abort();
        return undo.run();
      },
    };
  } catch (error) {
    await undo.run();
    throw error;
  }
}
