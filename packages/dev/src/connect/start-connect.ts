import { createWriteStream } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ConnectServer, loadConfig, startConnectServer } from "@kindling/connect/server";
import { CONNECT_SERVICE_LABEL, formatProperties, parseProperties } from "@kindling/core-spec";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { InstanceStatus } from "../control/instance-status.ts";
import { NAMESPACE } from "../instance/driver-account.ts";
import { endPods } from "../instance/end-pods.ts";
import { writePrivate } from "../state/state-files.ts";
import type { StatePaths } from "../state/state-paths.ts";
import { driverConf } from "./driver-conf.ts";
import { HOST } from "./require-free-port.ts";

export interface DevConnectOptions {
  readonly instance: InstanceStatus;
  readonly paths: StatePaths;
  /** 0 means any free port. */
  readonly port: number;
  /** Configuration of drivers, besides the instance's defaults. */
  readonly conf: Readonly<Record<string, string>>;
  readonly outside: Pick<Outside, "clock" | "random" | "cwd">;
}

/** Spark Connect on a port of this machine. */
export interface DevConnect {
  readonly port: number;
  /** Ends it, with the drivers of its sessions and their tables. */
  stop(): Promise<void>;
}

/** The user ends it. A night without a call ends its driver as well. */
const IDLE = "12h";

/** Serves Spark Connect for the sessions of this user, on the cluster of an instance. */
export async function startDevConnect(options: DevConnectOptions): Promise<DevConnect> {
  const { instance, paths, outside } = options;
  const { clock, random } = outside;
  const name = serviceName(options);
  const folder = join(paths.connect, name);
  const files = await writeFiles(folder, options);
  const access = await loadClusterAccess({ kubeconfigPath: instance.kubeconfig });
  const client = createKubeClient(access, { namespace: NAMESPACE, userAgent: "kindling-connect" });
  const log = createWriteStream(instance.log, { flags: "a" });
  const close = async (): Promise<void> => {
    client.close();
    log.end();
    await rm(folder, { recursive: true, force: true });
  };
  let server: ConnectServer;
  try {
    const config = loadConfig({ args: settings(name, files, options), env: {}, readFile: () => "" });
    // Variables of the user's environment are for other services and submissions.
    server = await startConnectServer(config, { client, log, outside: { clock, random, env: {}, cwd: folder } });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port: server.port,
    async stop() {
      await server.stop();
      // The cluster may have ended before.
      await endPods({ client, clock, labelSelector: `${CONNECT_SERVICE_LABEL}=${name}` }).catch(() => undefined);
      await close();
    },
  };
}

/** By its name a service knows its own drivers; those that a killed one has left are used again at the same port. */
function serviceName({ port, outside: { random } }: DevConnectOptions): string {
  return `dev-${port === 0 ? Buffer.from(random.bytes(4)).toString("hex") : port}`;
}

/** The files that the service reads. */
interface ServiceFiles {
  readonly profiles: string;
  readonly defaults: string;
}

async function writeFiles(
  folder: string,
  { instance, conf, outside: { cwd } }: DevConnectOptions,
): Promise<ServiceFiles> {
  const files = { profiles: join(folder, "profiles.yaml"), defaults: join(folder, "defaults.conf") };
  const warehouse = join(folder, "warehouse");
  await mkdir(warehouse, { recursive: true, mode: 0o700 });
  const dev = { namespace: NAMESPACE, idle: IDLE, conf: driverConf({ cwd, warehouse, conf }) };
  await writePrivate(files.profiles, JSON.stringify({ profiles: { dev } }));
  const defaults = parseProperties(await readFile(join(instance.confDir, "spark-defaults.conf"), "utf8"));
  // Sessions stage no files, and the service reads none of this machine for them, such as that of the staging server's token.
  const usual = Object.entries(defaults).filter(([key]) => !key.startsWith("spark.kindling.staging."));
  await writePrivate(files.defaults, formatProperties(Object.fromEntries(usual), "Written by kindling dev connect."));
  return files;
}

function settings(name: string, files: ServiceFiles, { port }: DevConnectOptions): readonly string[] {
  const all = {
    "service-name": name,
    "listen-host": HOST,
    "listen-port": String(port),
    "admin-host": HOST,
    "admin-port": "0",
    "profiles-file": files.profiles,
    "drivers-defaults-file": files.defaults,
    "cluster-namespaces": NAMESPACE,
    // The user has decided to end it.
    "shutdown-grace": "0s",
    "log-level": "warn",
  };
  return Object.entries(all).flatMap(([key, value]) => [`--${key}`, value]);
}
