import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { grant, makeAccount, tokenOf } from "@kindling/test-cluster/accounts";
import { eventually } from "@kindling/test-kit/eventually";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { PolicyRule } from "kubernetes-types/rbac/v1.js";
import { onTestFinished } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import type { Run } from "@kindling/recorder-client";
import { startRecorderServer } from "../../src/server/recorder-server.ts";
import { testFolder } from "./archives.ts";

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A recorder with a cluster of its own, and its archive in a folder. */
export interface TestRecorder {
  readonly cluster: TestCluster;
  readonly archiveFolder: string;
  readonly uri: string;
  readonly adminUri: string;
  readonly lines: readonly string[];
  readonly ask: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Waits until so many runs are listed for a reader. */
  runs(count: number, headers?: Readonly<Record<string, string>>): Promise<readonly Run[]>;
}

export async function testRecorder(...settings: readonly string[]): Promise<TestRecorder> {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  const [archiveFolder, spoolFolder] = [await testFolder(), await testFolder()];
  const config = loadConfig({
    args: [
      ...["--listen-port", "0", "--admin-port", "0", "--store-path", archiveFolder, "--spool-path", spoolFolder],
      ...settings,
    ],
    env: {},
    readFile: () => "",
  });
  const client = createKubeClient(await loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor(cluster) }));
  const lines: string[] = [];
  const server = await startRecorderServer(config, { client, log: { write: (line) => void lines.push(line) } });
  onTestFinished(async () => {
    await server.stop();
    client.close();
  });
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    // `fetch` would not send another host name.
    const request = get(new URL(path, server.uri), { headers: { ...headers } });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return { status: response.statusCode ?? 0, text: await text(response) };
  };
  await eventually(async () => {
    if ((await fetch(new URL("readyz", server.adminUri))).status !== 200) throw new Error(lines.join("\n"));
  });
  return {
    ...{ cluster, archiveFolder, uri: server.uri, adminUri: server.adminUri, lines, ask },
    runs: (count, headers) =>
      eventually(async () => {
        const { runs = [] } = JSON.parse((await ask("/api/v1/runs", headers)).text) as { readonly runs?: Run[] };
        if (runs.length < count) throw new Error(`${runs.length} runs are listed: ${lines.join("")}`);
        return runs;
      }),
  };
}

const READS_LOGS: PolicyRule = { apiGroups: [""], resources: ["pods/log"], verbs: ["get"] };

/** A token of an account that may read the logs of a namespace, or of all. */
export async function readerToken(
  cluster: TestCluster,
  name: string,
  { of, audiences = ["kindling-recorder"] }: { readonly of: string | undefined; readonly audiences?: string[] },
): Promise<string> {
  const account = { namespace: "default", name };
  await makeAccount(cluster, account);
  await grant(cluster, account, [READS_LOGS], of);
  return tokenOf(cluster, account, audiences);
}

/** A token that the kubelet would mount into a pod, for the recorder alone. */
export async function podToken(cluster: TestCluster, { metadata, spec }: Pod): Promise<string> {
  const { name, namespace, uid } = metadata ?? {};
  const account = spec?.serviceAccountName ?? "default";
  const answer = await cluster.send("POST", `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`, {
    spec: {
      audiences: ["kindling-recorder"],
      expirationSeconds: 3600,
      boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid },
    },
  });
  return (answer as { readonly status: { readonly token: string } }).status.token;
}

export function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}
