import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { Pod } from "kubernetes-types/core/v1.js";
import { onTestFinished } from "vitest";
import { loadConfig, startConnectServer } from "../../src/server.ts";
import { ConnectClient } from "@kindling/test-kit/connect-client";
import { type StubDriver, stubDriver } from "./stub-driver.ts";

export interface TestServerOptions {
  readonly settings?: readonly string[];
  /** Lines of YAML under the only profile, `small`, besides namespace, image, command and port. */
  readonly profile?: readonly string[];
  /** Whole YAML instead. */
  readonly profiles?: string;
  readonly cluster?: TestCluster;
  readonly driver?: StubDriver;
}

/** The service, the cluster that it works in, and the driver that all pods of the cluster lead to. */
export interface TestServer {
  readonly cluster: TestCluster;
  readonly driver: StubDriver;
  readonly uri: string;
  readonly adminUri: string;
  readonly lines: readonly string[];
  /** The file of profiles. */
  readonly profilesFile: string;
  readonly accessFile: string;
  readonly client: () => ConnectClient;
  /** The drivers that are there, without those that are being deleted. */
  readonly pods: () => Promise<readonly Pod[]>;
  readonly stop: () => Promise<void>;
}

const TOKEN = "token-of-alice";

/** The access file: alice may use `spark-jobs`, bob as well, carol something else. */
const SUBJECTS = [
  ["alice", TOKEN, "spark-jobs"],
  ["bob", "token-of-bob", "spark-jobs"],
  ["carol", "token-of-carol", "elsewhere"],
] as const;

export function accessList(subjects: readonly (readonly [string, string, string])[] = SUBJECTS): string {
  return JSON.stringify({
    subjects: subjects.map(([name, token, namespace]) => ({
      name,
      tokenSha256: createHash("sha256").update(token).digest("hex"),
      namespaces: [namespace],
    })),
  });
}

/** Starts a service; it is stopped when the test ends, if not before. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const cluster = options.cluster ?? (await TestCluster.start({ podAddress: "127.0.0.1" }));
  const driver = options.driver ?? (await stubDriver());
  const own = ["namespace: spark-jobs", "image: stub:1", "command: [serve]", `port: ${driver.port}`];
  const profile = [...own, ...(options.profile ?? [])].map((line) => `    ${line}`).join("\n");
  const { path } = scratchFolder({
    "profiles.yaml": options.profiles ?? `profiles:\n  small:\n${profile}\n`,
    "access.json": accessList(),
  });
  const [profilesFile, accessFile] = [join(path, "profiles.yaml"), join(path, "access.json")];
  const config = loadConfig({
    args: [
      ...["--listen-port", "0", "--admin-port", "0", "--profiles-file", profilesFile, "--tls-reload-interval", "1"],
      ...["--auth-modes", "token", "--auth-access-file", accessFile, ...(options.settings ?? [])],
    ],
    env: {},
    readFile: () => "",
  });
  const access = await loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor(cluster, {}) });
  const client = createKubeClient(access, { userAgent: "kindling-connect" });
  const lines: string[] = [];
  const server = await startConnectServer(config, { client, log: { write: (line) => void lines.push(line) } });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= server.stop().then(() => client.close()));
  onTestFinished(stop);
  const uri = `http://127.0.0.1:${server.port}`;
  return {
    ...{ cluster, driver, uri, adminUri: server.adminUri, lines, profilesFile, accessFile, stop },
    client() {
      const client = new ConnectClient(uri, { token: TOKEN });
      onTestFinished(() => client.close());
      return client;
    },
    async pods() {
      const path = "/api/v1/pods?labelSelector=connect.kindling/profile";
      const { items } = (await cluster.send("GET", path)) as { items: readonly Pod[] };
      return items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    },
  };
}

/** Writes a file that the service reads. */
export function rewrite(file: string, text: string): void {
  writeFileSync(file, text);
}
