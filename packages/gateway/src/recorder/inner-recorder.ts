import type { Outside } from "@kindling/outside";
import { connect, type LogDestination, type MemoryParts, readText } from "@kindling/service";
import { settingMissing } from "@kindling/service/settings";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import type { RecorderAddress } from "../config/recorder-keys.ts";

/** A recorder inside of the gateway's process. */
export interface InnerRecorder {
  /** The settings by which the gateway finds it. */
  readonly settings: Partial<RecorderAddress>;
  stop(): Promise<void>;
}

export interface InnerRecorderOptions {
  readonly outside: Outside;
  /** The destination of log lines. */
  readonly log: LogDestination;
}

const MEBIBYTE = 1024 * 1024;
/** What a recorder takes with a thousand running applications, without the program itself. */
const RECORDER_MEMORY: MemoryParts = { heap: 64 * MEBIBYTE, beside: 48 * MEBIBYTE };
/** A container that is smaller than both together is still used: the gateway keeps this part of it. */
const LEAST_PART = 0.5;

/**
 * Starts the recorder of `recorder.settingsFile`; `undefined` if there is none.
 *
 * @throws KindlingError if its settings cannot be used, or if the gateway cannot find it by them
 * @throws ArchiveError if its archive cannot be read
 */
export async function startInnerRecorder(
  config: GatewayConfig,
  { outside, log }: InnerRecorderOptions,
): Promise<InnerRecorder | undefined> {
  const path = config["recorder.settingsFile"];
  if (path === undefined) return undefined;
  // A gateway without one need not read this code.
  const { loadConfig, startRecorderServer } = await import("@kindling/recorder/server");
  const own = loadConfig({ args: ["--config", path], env: {}, readFile: readText });
  if (config["recorder.uri"] === undefined && own["tls.certFile"] !== undefined)
    throw settingMissing("recorder.uri", `the recorder of ${path} has a certificate, which is for a name`);
  const namespaces = own["cluster.namespaces"];
  const completed = {
    ...own,
    "cluster.namespaces": namespaces.length > 0 ? namespaces : config["cluster.namespaces"],
  };
  const client = await connect(own["cluster.kubeconfig"] ?? config["cluster.kubeconfig"], "kindling-recorder");
  const stopClient = (): void => client.close();
  try {
    const server = await startRecorderServer(completed, { outside, client, log });
    return {
      settings: config["recorder.uri"] === undefined ? { "recorder.uri": server.uri } : {},
      stop: () => server.stop().finally(stopClient),
    };
  } catch (error) {
    stopClient();
    throw error;
  }
}

/** How much of the memory of a process the gateway may use, beside a recorder in the same process. Pure. */
export function memoryBeside(recorder: InnerRecorder | undefined, { heap, beside }: MemoryParts): MemoryParts {
  if (recorder === undefined) return { heap, beside };
  return {
    heap: Math.max(heap * LEAST_PART, heap - RECORDER_MEMORY.heap),
    beside: Math.max(beside * LEAST_PART, beside - RECORDER_MEMORY.beside),
  };
}
