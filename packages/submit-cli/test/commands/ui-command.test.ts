import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { aSparkPod } from "../fixtures/driver-pod.ts";
import { kindling, type RunningProcess, startKindling } from "../fixtures/kindling-process.ts";

let cluster: TestCluster;
let master: string[];

beforeEach(async () => {
  cluster = await TestCluster.start();
  master = ["--master", `k8s://${cluster.devCluster.url}`];
});

/** Starts the web UI of a driver: a page of 3 MiB, and an echo of what is posted. */
async function startUi(port = 0, host = "127.0.0.1"): Promise<number> {
  const server = createServer((request, response) => {
    if (request.method === "POST") request.pipe(response);
    else response.end(`Spark Jobs ${"x".repeat(3 * 1024 * 1024)}`);
  });
  server.listen(port, host);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A driver on this machine whose web UI has this port. */
async function driverWith(port: number): Promise<void> {
  const ports = [{ name: "spark-ui", containerPort: port }];
  const pod = aSparkPod("etl-driver", { app: "etl", containers: [] });
  await cluster.createPod(pod.container("spark-kubernetes-driver", { image: "apache/spark:4.3.0", ports }).build());
  await isHere("etl-driver", "127.0.0.1");
}

/** Gives a pod an address of this machine. */
async function isHere(name: string, ip: string): Promise<void> {
  const path = `/api/v1/namespaces/spark-jobs/pods/${name}/status`;
  await cluster.send("PATCH", path, { status: { podIP: ip, podIPs: [{ ip }] } });
}

/** The command, when it shows a web UI; with the UI's address. */
async function shown(
  command: string,
  ...args: readonly string[]
): Promise<{ readonly ui: string; readonly running: RunningProcess }> {
  const running = startKindling([command, ...master, ...args]);
  onTestFinished(() => void running.child.kill("SIGKILL"));
  let text = "";
  running.child.stdout.on("data", (chunk: string) => (text += chunk));
  await running.saying("Ctrl-C");
  return { ui: text.trim(), running };
}

describe("kindling ui of an application that runs", () => {
  test("leads to its driver's web UI, with many connections at once", async () => {
    await driverWith(await startUi());
    const { ui, running } = await shown("ui", "spark-jobs:etl-driver");
    expect(ui).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const pages = await Promise.all(Array.from({ length: 8 }, async () => await (await fetch(ui)).text()));
    expect(pages.map(({ length }) => length)).toEqual(pages.map(() => "Spark Jobs ".length + 3 * 1024 * 1024));
    const sent = "é".repeat(700_000);
    expect(await (await fetch(ui, { method: "POST", body: sent })).text()).toBe(sent);
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 0, stderr: "Ctrl-C ends it.\n" });
  });

  test("says that a port answers nobody, and goes on", async () => {
    await driverWith(1);
    const { ui, running } = await shown("ui", "spark-jobs:etl-driver");
    await expect(fetch(ui)).rejects.toThrow("fetch failed");
    await running.saying("error forwarding port 1");
    await expect(fetch(ui)).rejects.toThrow("fetch failed");
    running.child.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr.match(/error forwarding port 1/g)).toHaveLength(1);
  });

  test("takes the port that the user names, and says if that is taken", async () => {
    const port = await startUi();
    await driverWith(port);
    const { code, stderr } = await kindling(["ui", ...master, "--port", String(port), "spark-jobs:etl-driver"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: --port \d+: .*EADDRINUSE.*\nhint: name another port/);
  });
});

describe("kindling ui", () => {
  test.each([
    [["etl-driver", "--port", "70000"], "--port 70000: must be a port from 0 to 65535"],
    [["never"], "never"],
    [["etl~1"], 'no application in namespace spark-jobs is called "etl"'],
    [[], "name it by its name, id or driver pod"],
  ])("with %j says what is wrong", async (args, words) => {
    await driverWith(4040);
    const { code, stdout, stderr } = await kindling(["ui", ...master, "-n", "spark-jobs", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(words);
    expect(stderr).not.toContain("    at ");
  });
});

describe("kindling history-server", () => {
  const RECORDER = ["-c", "spark.kindling.recorder.uri=k8s+https://spark-jobs/kindling-recorder:8080"];

  test("leads to the history server that the chart runs", async () => {
    const here = "127.0.0.77";
    await startUi(18_080, here);
    const labels = { "app.kubernetes.io/name": "kindling-history-server" };
    await cluster.createPod(aPod("history").in("spark-jobs").labels(labels).container("history-server", {}).build());
    await isHere("history", here);
    const { ui, running } = await shown("history-server", ...RECORDER);
    expect(await (await fetch(ui)).text()).toContain("Spark Jobs");
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(0);
  });

  test("says that there is none", async () => {
    const { code, stderr } = await kindling(["history-server", ...master, ...RECORDER]);
    expect(code).toBe(1);
    expect(stderr).toContain("no history server runs in namespace spark-jobs\nhint: the chart runs one with");
  });
});
