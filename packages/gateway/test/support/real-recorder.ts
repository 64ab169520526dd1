import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { httpTransport, withoutProxy } from "@kindling/http";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { systemClock } from "@kindling/outside";
import { loadConfig, startRecorderServer } from "@kindling/recorder/server";
import { connectRecorder, type RecorderClient } from "@kindling/recorder-client";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { onTestFinished } from "vitest";

/** A recorder of a cluster, and what reads its archive. */
export interface RealRecorder {
  readonly uri: string;
  readonly archive: RecorderClient;
  stop(): Promise<void>;
}

export async function recorderOf(cluster: TestCluster): Promise<RealRecorder> {
  const folder = await mkdtemp(join(tmpdir(), "kindling-held-"));
  const config = loadConfig({
    args: [
      ...["--listen-port", "0", "--admin-port", "0", "--logs-tail-interval", "1h"],
      ...["--store-path", join(folder, "archive"), "--spool-path", join(folder, "spool")],
    ],
    env: {},
    readFile: () => "",
  });
  const client = createKubeClient(await loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor(cluster) }));
  const server = await startRecorderServer(config, { client, log: { write: () => undefined } });
  const archive = archiveAt(server.uri);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= server.stop());
  onTestFinished(async () => {
    await stop();
    client.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { uri: server.uri, archive, stop };
}

/** What reads the archive of a recorder that asks nobody for a token. */
export function archiveAt(uri: string): RecorderClient {
  const limits = { connectTimeoutMs: 5_000, stallTimeoutMs: 30_000, answerTimeoutMs: 60_000 };
  const archive = connectRecorder({
    uri: new URL(uri),
    http: httpTransport({ clock: systemClock, tls: {}, proxies: withoutProxy, ...limits }),
    token: undefined,
    credentialsField: "authorization",
  });
  onTestFinished(() => archive.close());
  return archive;
}

/** A log of the one run in an archive, as soon as that is stored, and what is missing of it. */
export async function keptLog(
  archive: RecorderClient,
  name: string,
): Promise<{ readonly lines: readonly string[]; readonly gap: string | undefined }> {
  const run = await eventually(async () => {
    for await (const one of archive.runs({})) return one;
    throw new Error("no run is stored yet");
  });
  const lines: string[] = [];
  for await (const line of archive.log(run.uid, name)) lines.push(line);
  const { logs } = await archive.record(run.uid);
  return { lines, gap: logs.find((log) => log.name === name)?.gap };
}
