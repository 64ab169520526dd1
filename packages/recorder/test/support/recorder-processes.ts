import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { FAKE_BUCKET, fakeS3 } from "@kindling/test-kit/fake-s3";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { type RunningProcess, runningProcess } from "@kindling/test-kit/running-process";
import { hasVersitygw, startVersitygw } from "@kindling/test-kit/versitygw";
import { onTestFinished } from "vitest";
import type { Run } from "@kindling/recorder-client";
import type { Archive } from "../../src/archive/archive.ts";
import { archiveOf, testFolder } from "./archives.ts";

const COMMAND = fileURLToPath(new URL("../../bin/kindling-recorder.cjs", import.meta.url));
const KEYS = { AWS_ACCESS_KEY_ID: "access", AWS_SECRET_ACCESS_KEY: "hidden-secret" };

/** A recorder in a process of its own, with a disk of its own. */
export interface RecorderProcess {
  readonly process: RunningProcess;
  readonly spool: string;
  said(): string;
  ask(path: string): Promise<string>;
  runs(): Promise<readonly Run[]>;
  /** Waits until it records, and not another one. */
  untilLeading(): Promise<void>;
}

/** A cluster and an archive, for any number of recorders. */
export interface SharedArchive {
  readonly cluster: TestCluster;
  readonly archive: Archive;
  /** Starts another recorder, with the disk of an earlier one if that is given. */
  start(spool?: string, leaseDuration?: string): Promise<RecorderProcess>;
}

/** Where the archive is: flags of the recorder. */
export const PLACES: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  "a folder": async () => ["--store-path", await testFolder()],
  "an S3 bucket": async () => {
    const bucket = hasVersitygw ? "archive" : FAKE_BUCKET;
    const endpoint = hasVersitygw ? await realS3(bucket) : (await fakeS3()).endpoint;
    return ["--store-kind", "s3", "--store-s3-endpoint", endpoint, "--store-s3-bucket", bucket];
  },
};

async function realS3(bucket: string): Promise<string> {
  const server = await startVersitygw(await testFolder(), bucket, KEYS);
  onTestFinished(() => server.stop());
  return server.endpoint;
}

export async function sharedArchive(place: () => Promise<readonly string[]>): Promise<SharedArchive> {
  const cluster = await TestCluster.start();
  const [store, kubeconfig] = [await place(), kubeconfigFor(cluster)];
  return {
    cluster,
    archive: await archiveOf(store, KEYS),
    async start(spool, leaseDuration = "3s") {
      const folder = spool ?? join(await testFolder(), "spool");
      const lease = ["--leader-lease-duration", leaseDuration];
      return await started(folder, [...store, ...lease, "--cluster-kubeconfig", kubeconfig]);
    },
  };
}

async function started(spool: string, flags: readonly string[]): Promise<RecorderProcess> {
  const leading = ["--leader-election=true", "--leader-lease-namespace", "default"];
  const own = ["--listen-port", "0", "--admin-port", "0", "--spool-path", spool, "--spool-hand-over=true"];
  const args = [COMMAND, ...own, ...["--logs-tail-interval", "1s", "--logs-part-size", "512b"], ...leading, ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...KEYS } });
  onTestFinished(() => {
    child.kill("SIGCONT");
    child.kill("SIGKILL");
  });
  const running = runningProcess(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: string) => (said += text));
  await running.saying('"msg":"recording"');
  const [, uri = ""] = /"uri":"([^"]+)"/.exec(said) ?? [];
  const ask = async (path: string): Promise<string> => await (await fetch(new URL(path, uri))).text();
  return {
    ...{ process: running, spool, ask },
    said: () => said,
    runs: async () => (JSON.parse(await ask("/api/v1/runs")) as { readonly runs: Run[] }).runs,
    untilLeading: () =>
      eventually(() => {
        if (!said.includes('"msg":"this replica leads"')) throw new Error(`it does not lead: ${said}`);
      }),
  };
}
