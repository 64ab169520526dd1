import type { Step } from "@kindling/core-spec";
import type { Pod, Secret } from "kubernetes-types/core/v1.js";
import { connectStaging, type BundleStatus, type StagingClient } from "@kindling/staging-client";
import type { StagingServer } from "@kindling/staging-server";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SubmissionEvent } from "@kindling/submit";
import { caught } from "@kindling/test-kit/caught";
import { kindling, kubeconfigFor } from "../fixtures/kindling-process.ts";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { stagingServer } from "../fixtures/staging-server.ts";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { conf, NAMESPACE, submitTo, type SubmitCall } from "../fixtures/submission.ts";

function clientOf(server: StagingServer): StagingClient {
  const client = connectStaging({ uri: server.uri });
  onTestFinished(() => client.close());
  return client;
}

async function bundlesOf(server: StagingServer): Promise<readonly BundleStatus[]> {
  return (await clientOf(server).listBundles()).bundles;
}

/** A submission of a Python application on this machine, with a file. */
function localApplication(server: StagingServer, folder: ScratchFolder): SubmitCall {
  folder.write("app.py", "print(1)");
  folder.write("data.csv", "a,b\n");
  return {
    cwd: folder.path,
    flags: [
      ...conf({ "spark.kindling.staging.uri": server.uri, "spark.kindling.localizer.image": "localizer:1" }),
      ...["--files", "data.csv"],
    ],
    app: ["app.py"],
  };
}

async function secretOf(cluster: TestCluster): Promise<Record<string, string>> {
  const [secret] = await cluster.objects<Secret>("Secret");
  return Object.fromEntries(
    Object.entries(secret?.data ?? {}).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]),
  );
}

describe("a submission with files of this machine", () => {
  test("uploads them, hands the pods what opens them, and binds them to the driver", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    const events: SubmissionEvent[] = [];
    const { application } = await submitTo(cluster, {
      ...localApplication(server, scratchFolder()),
      onEvent: (event) => events.push(event),
    });

    const data = await secretOf(cluster);
    const config = JSON.parse(data["driver.json"] ?? "{}");
    const { id } = config.bundles.submission;
    const manifest = await clientOf(server).manifest(id, { secret: data["bundle-secret"] ?? "" });
    expect(manifest.files.map(({ name }) => name).toSorted()).toEqual(["app/app.py", "files/data.csv"]);
    const [bundle] = await bundlesOf(server);
    expect(bundle).toMatchObject({
      bundleId: id,
      namespace: NAMESPACE,
      owner: { ownerLabels: { "spark-app-selector": application.id, "spark-role": "driver" } },
      ownerUid: (await cluster.objects<Pod>("Pod"))[0]?.metadata?.uid,
    });
    expect(events.findLast((event) => event.type === "staging")).toMatchObject({
      progress: { done: true, files: 2, filesSent: 2 },
    });
  });

  test("is planned once: each notice is told once", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    const { flags = [], ...call } = localApplication(server, scratchFolder());
    const notices: string[] = [];
    const talker: Step = {
      name: "talker",
      configureDriver: (spec, { notice }) => {
        notice("from the step");
        return spec;
      },
    };
    await submitTo(cluster, {
      ...call,
      flags: [...flags, ...conf({ typo: "1" }), "--jars", "missing-*.jar"],
      steps: [talker],
      onEvent: (event) => void (event.type === "notice" && notices.push(event.message)),
    });
    expect(notices).toEqual([
      "typo is ignored, because it does not begin with 'spark.'",
      expect.stringContaining("missing-*.jar matches no file"),
      "from the step",
    ]);
  });

  test("makes the Secret before the pod that mounts it", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    await submitTo(cluster, localApplication(server, scratchFolder()));
    const order = cluster.api.requests.filter(({ method }) => method !== "GET").map(({ path }) => path);
    expect(order.findIndex((path) => path.includes("/secrets/"))).toBeLessThan(
      order.findIndex((path) => path.endsWith("/pods")),
    );
  });

  test("sends nothing twice", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    const call = localApplication(server, scratchFolder());
    await submitTo(cluster, call);
    const events: SubmissionEvent[] = [];
    await submitTo(cluster, { ...call, onEvent: (event) => events.push(event) });
    expect(events.findLast((event) => event.type === "staging")).toMatchObject({
      progress: { filesSkipped: 2, bytesSent: 0 },
    });
  });

  test("gives the files up if the pod is refused", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    cluster.api.fault = ({ path, method }) =>
      method === "POST" && path.endsWith("/pods") ? { kind: "status", status: 422 } : undefined;
    await caught(submitTo(cluster, localApplication(server, scratchFolder())));
    expect(await bundlesOf(server)).toEqual([]);
    expect(await cluster.objects("Secret")).toEqual([]);
  });

  test("keeps them where another call with the same id may rely on them, and says so", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    cluster.api.fault = ({ path, method }) =>
      method === "PATCH" && path.includes("/services/") ? { kind: "status", status: 422 } : undefined;
    const call = localApplication(server, scratchFolder());
    const error = await caught(submitTo(cluster, { ...call, submissionId: "nightly" }));
    expect(error.hint).toContain("the staged files stay as long as a pod of the application may use them");
    expect(await bundlesOf(server)).toHaveLength(1);
    expect(await cluster.objects("Secret")).toHaveLength(1);
    expect(await cluster.objects("Pod")).toHaveLength(1);
  });

  test("uploads nothing if the submission is no good", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    const call = localApplication(server, scratchFolder());
    const flags = [...(call.flags ?? []), ...conf({ "spark.driver.memory": "much" })];
    const events: SubmissionEvent[] = [];
    const error = await caught(submitTo(cluster, { ...call, flags, onEvent: (event) => events.push(event) }));
    expect(error.message).toContain("spark.driver.memory");
    expect(events.filter(({ type }) => type === "staging")).toEqual([]);
  });

  test("says where the staging server should be when it is not there", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    const call = localApplication(server, scratchFolder());
    await server.stop();
    const flags = (call.flags ?? []).map((flag) => flag.replace(server.uri, "http://127.0.0.1:1/"));
    const error = await caught(submitTo(cluster, { ...call, flags }));
    expect(error.message).toContain("http://127.0.0.1:1");
    expect(await cluster.objects<Pod>("Pod")).toEqual([]);
  }, 30_000);

  test("says on stderr what was staged, and a dry run stages nothing", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    const { cwd = "", flags = [] } = localApplication(server, scratchFolder());
    const env = { KUBECONFIG: kubeconfigFor(cluster) };
    const args = ["submit", ...conf({ "spark.kubernetes.container.image": "spark:4.3.0" }), ...flags];
    const dry = await kindling([...args, "--dry-run", "app.py"], { env, cwd });
    expect(dry.stdout).toContain("spark-localizer");
    expect(await bundlesOf(server)).toEqual([]);

    const wait = conf({ "spark.kubernetes.submission.waitAppCompletion": "false" });
    const { stderr, code } = await kindling([...args, ...wait, "app.py"], { env, cwd });
    expect(stderr).toContain("Staged 2 files (12 B)");
    expect(code).toBe(0);
  });
});

describe("kindling staging", () => {
  test("lists, shows and removes bundles", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    await submitTo(cluster, localApplication(server, scratchFolder()));
    const env = { KINDLING_STAGING_URI: server.uri };
    const staging = async (...args: string[]): Promise<string> => {
      const { stdout, stderr, code } = await kindling(["staging", ...args], { env });
      expect([code, stderr]).toEqual([0, ""]);
      return stdout;
    };
    const [id = ""] = (await staging("ls", "-o", "name")).split("\n");
    expect(await staging("ls", "-n", NAMESPACE)).toMatch(new RegExp(`${NAMESPACE} +${id} +spark-[0-9a-f]+ +2 +12 B`));
    expect(await staging("ls", "-n", "elsewhere", "-o", "json")).toBe("[]\n");
    expect(await staging("stat")).toMatch(new RegExp(`store: +local-disk\n[^]*${NAMESPACE} +1 +12 B`));
    expect(await staging("rm", id)).toBe(`${id} deleted\n`);
    expect(await staging("ls", "-o", "name")).toBe("");
    expect(await staging("gc", "--dry-run", "-o", "json")).toContain('"dryRun": true');
  });

  test("goes by the configuration that a submission goes by, its namespace included", async () => {
    const [server, cluster] = await Promise.all([stagingServer(), TestCluster.start()]);
    await submitTo(cluster, localApplication(server, scratchFolder()));
    const defaults = `spark.kindling.staging.uri ${server.uri}\nspark.kubernetes.namespace ${NAMESPACE}\n`;
    const env = { SPARK_CONF_DIR: scratchFolder({ "spark-defaults.conf": defaults }).path };
    const listed = await kindling(["staging", "ls"], { env });
    expect([listed.code, listed.stderr]).toEqual([0, ""]);
    expect(listed.stdout).toMatch(new RegExp(`^${NAMESPACE} +\\S+ +spark-[0-9a-f]+ +2 +12 B`, "m"));
    const elsewhere = await kindling(["staging", "ls", "-n", "elsewhere", "-o", "json"], { env });
    expect(elsewhere.stdout).toBe("[]\n");
  });

  test.each([
    [["staging"], /no action is named/],
    [["staging", "sing"], /there is no sing/],
    [["staging", "rm"], /which bundle/],
    [["staging", "ls", "x"], /takes no operands/],
    [["staging", "ls"], /no staging server is known/],
    [["staging", "ls", "--server", "ftp://x"], /http/],
  ])("%j is refused", async (args, message) => {
    const { stderr, code } = await kindling(args);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });
});
