import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectServer, loadConfig, startConnectServer } from "@kindling/connect/server";
import { resources } from "@kindling/kube";
import { stringify } from "yaml";
import { Installed } from "../stack/installed.ts";
import { Kindling } from "./kindling.ts";
import { IS_INSTALLED } from "./services.ts";
import { eventually, SHORT_LIVED, sparkImage, type TestNamespace } from "./test-cluster.ts";

/** The connect service for a suite's namespace. It knows the tokens of the namespace's accounts. */
export interface ConnectService {
  /** The port of this machine, without TLS. */
  readonly port: number;
  /** Ends it without any warning, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Small drivers of Spark, each with one executor, as the values of a profile. */
export function smallProfile(namespace: TestNamespace, version: string): Readonly<Record<string, unknown>> {
  const cores = { "spark.kubernetes.driver.request.cores": "100m", "spark.kubernetes.executor.request.cores": "100m" };
  return {
    ...{ namespace: namespace.name, image: sparkImage(version), sparkVersion: version },
    driver: { memory: "1g", serviceAccount: "spark" },
    executor: { memory: "512m", instances: 1 },
    conf: { ...cores, ...SHORT_LIVED },
    access: { groups: [`system:serviceaccounts:${namespace.name}`] },
  };
}

export type ProfileValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Starts or installs the service. */
export async function startConnect(namespace: TestNamespace, profiles: ProfileValues): Promise<ConnectService> {
  return IS_INSTALLED ? await installConnect(namespace, profiles) : await runConnect(namespace, profiles);
}

/** A token of an account of the namespace for the service. */
export async function connectToken(namespace: TestNamespace, account: string): Promise<string> {
  return await namespace.tokenOf(account, { audiences: ["kindling-connect"] });
}

async function installConnect(namespace: TestNamespace, profiles: ProfileValues): Promise<ConnectService> {
  const installed = await Installed.start(namespace, [], { connect: { enabled: true, profiles } });
  const opened = new Kindling(["connect", "--forward", "--port", "0", "-n", namespace.name, "-o", "json"]);
  const { port } = await eventually("a way to the service", () => {
    if (opened.child.exitCode !== null) throw new Error(opened.err);
    return Promise.resolve(opened.err.includes("Ctrl-C") && (JSON.parse(opened.out) as { port: number }));
  });
  const labelSelector = "app.kubernetes.io/name=kindling-connect";
  return {
    port,
    async restart() {
      await namespace.client.deleteCollection(resources.pods, { labelSelector, gracePeriodSeconds: 0 });
      await eventually("the next pod of the service", async () => {
        const { items } = await namespace.client.listAll(resources.pods, { labelSelector });
        return items.some(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"),
        );
      });
    },
    async stop() {
      opened.child.kill("SIGINT");
      await opened.ended;
      await installed.stop();
    },
  };
}

async function runConnect(namespace: TestNamespace, profiles: ProfileValues): Promise<ConnectService> {
  const folder = mkdtempSync(join(tmpdir(), "kindling-e2e-connect-"));
  writeFileSync(join(folder, "profiles.yaml"), stringify({ profiles }));
  const start = async (port: number): Promise<ConnectServer> => {
    const all = {
      ...{ "listen-port": String(port), "admin-port": "0", "profiles-file": join(folder, "profiles.yaml") },
      ...{ "auth-modes": "kubernetes", "service-name": namespace.name },
    };
    const args = Object.entries(all).flatMap(([flag, value]) => [`--${flag}`, value]);
    const config = loadConfig({ args, env: {}, readFile: () => "" });
    return await startConnectServer(config, { client: namespace.client, log: { write: () => undefined } });
  };
  let server = await start(0);
  const { port } = server;
  return {
    port,
    async restart() {
      await server.stop();
      server = await start(port);
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
