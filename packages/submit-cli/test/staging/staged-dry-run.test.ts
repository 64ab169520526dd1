import { connectStaging } from "@kindling/staging-client";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { KubernetesResource } from "@kindling/core-spec";
import type { Secret } from "kubernetes-types/core/v1.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { kindling, type Finished } from "../fixtures/kindling-process.ts";
import { stagingServer, type LoggingServer } from "../fixtures/staging-server.ts";
import { conf, flagsFor } from "../fixtures/submission.ts";

interface DryRun {
  readonly cluster: TestCluster;
  readonly server: LoggingServer;
  readonly run: (...flags: readonly string[]) => Promise<Finished>;
}

async function dryRunOfLocalFiles(): Promise<DryRun> {
  const [cluster, server] = await Promise.all([TestCluster.start(), stagingServer()]);
  const folder = scratchFolder({ "app.py": "print(1)", "data.csv": "a,b\n" });
  const staging = conf({ "spark.kindling.staging.uri": server.uri, "spark.kindling.localizer.image": "localizer:1" });
  return {
    cluster,
    server,
    run: (...flags) =>
      kindling(["submit", ...flagsFor(cluster), ...staging, ...flags, "--files", "data.csv", "app.py"], {
        cwd: folder.path,
      }),
  };
}

async function bundles(server: LoggingServer): Promise<number> {
  const client = connectStaging({ uri: server.uri });
  onTestFinished(() => client.close());
  return (await client.listBundles()).bundles.length;
}

describe("a dry run with files of this machine", () => {
  test("says at the top that it cannot be applied, and what can", async () => {
    const { run, server } = await dryRunOfLocalFiles();
    const { code, stdout } = await run("--dry-run");
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toBe(
      "# This cannot be applied: 2 files are not staged; --dry-run=server stages files.",
    );
    expect(await bundles(server)).toBe(0);
  });

  test("says so beside JSON, which has no comments", async () => {
    const { run } = await dryRunOfLocalFiles();
    const { stdout, stderr } = await run("--dry-run=client", "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({ kind: "List" });
    expect(stderr).toContain("note: This cannot be applied: 2 files are not staged");
  });

  test("hides what opens the files, and not the names of objects, in the executors' pod template either", async () => {
    const { run } = await dryRunOfLocalFiles();
    const { stdout } = await run("--dry-run");
    const [, name = ""] = /^kind: Secret\nmetadata:\n +name: (\S+-dependencies)$/m.exec(stdout) ?? [];
    expect(stdout).toMatch(/^ +bundle-secret: .*redacted/m);
    expect(stdout.split("\n").filter((line) => /secretName"?: /.test(line))).toEqual([
      expect.stringContaining(`"secretName": "${name}"`),
      expect.stringContaining(`secretName: ${name}`),
    ]);
  });

  test("=server stages them, and prints what can be applied", async () => {
    const { run, server, cluster } = await dryRunOfLocalFiles();
    const { code, stdout, stderr } = await run("--dry-run=server", "--show-secrets", "-o", "json");
    expect({ code, told: stderr.includes("cannot be applied") }).toEqual({ code: 0, told: false });
    const { items } = JSON.parse(stdout) as { items: KubernetesResource[] };
    const secret = items.find(({ kind }) => kind === "Secret") as Secret | undefined;
    const config = JSON.parse(Buffer.from(secret?.data?.["driver.json"] ?? "", "base64").toString()) as {
      bundles: { submission: { id: string } };
    };
    const client = connectStaging({ uri: server.uri });
    onTestFinished(() => client.close());
    const opening = Buffer.from(secret?.data?.["bundle-secret"] ?? "", "base64").toString();
    const { files } = await client.manifest(config.bundles.submission.id, { secret: opening });
    expect(files.map(({ name }) => name).toSorted()).toEqual(["app/app.py", "files/data.csv"]);
    expect(cluster.api.writes).toEqual([]);
  });

  test("=all is refused, with what there is", async () => {
    const { run, server } = await dryRunOfLocalFiles();
    const { code, stdout, stderr } = await run("--dry-run=all");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: --dry-run=all.*client.*server/);
    expect(await bundles(server)).toBe(0);
  });
});
