import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import {
  createServer as createSecureServer,
  request as requestSecurely,
  type Server as SecureServer,
} from "node:https";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { type Certificate, testAuthority } from "@kindling/test-kit/certificates";
import type { Pod } from "kubernetes-types/core/v1.js";
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
  return await served(server, port, host);
}

/** A driver on this machine whose web UI has this port, with these properties. */
async function driverWith(
  port: number,
  properties: Readonly<Record<string, string>> = {},
  phase: "Pending" | "Running" = "Running",
): Promise<Pod> {
  const configMap = {
    metadata: { name: "etl-conf" },
    data: {
      "spark.properties": Object.entries(properties)
        .map((entry) => `${entry.join("=")}\n`)
        .join(""),
    },
  };
  await cluster.send("POST", "/api/v1/namespaces/spark-jobs/configmaps", configMap);
  const ports = [{ name: "spark-ui", containerPort: port }];
  const driver = aSparkPod("etl-driver", { app: "etl", containers: [] })
    .spec({ volumes: [{ name: "spark-conf-volume-driver", configMap: { name: "etl-conf" } }] })
    .container("spark-kubernetes-driver", { image: "apache/spark:4.3.0", ports });
  const pod = await cluster.createPod(driver.build(), phase);
  await isHere("etl-driver", "127.0.0.1");
  return pod;
}

/** Starts a web UI with TLS, and a port without it that leads there, as Spark does; returns both ports. */
async function startTlsUi(certificate: Certificate): Promise<{ readonly plain: number; readonly tls: number }> {
  const tls = await served(createSecureServer(certificate, (_, response) => void response.end("Spark Jobs")));
  const plain = createServer(({ headers: { host } }, response) => {
    response.writeHead(302, { location: `https://${host}:${tls}/` }).end();
  });
  return { plain: await served(plain), tls };
}

async function served(server: Server | SecureServer, port = 0, host = "127.0.0.1"): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A page of a server whose certificate this authority has issued. */
async function pageOf(uri: string, ca: string): Promise<string> {
  const request = requestSecurely(uri, { ca, agent: false });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return await text(response);
}

/** Gives a pod an address of this machine. */
async function isHere(name: string, ip: string): Promise<void> {
  const path = `/api/v1/namespaces/spark-jobs/pods/${name}/status`;
  await cluster.send("PATCH", path, { status: { podIP: ip, podIPs: [{ ip }] } });
}

/** Resolves with the first line of a stream. */
async function firstLine(stream: Readable): Promise<string> {
  return await new Promise((resolve) => {
    let text = "";
    stream.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.trim());
    });
  });
}

/** The command, when it shows a web UI; with the UI's address. */
async function shown(
  command: string,
  ...args: readonly string[]
): Promise<{ readonly ui: string; readonly running: RunningProcess }> {
  const running = startKindling([command, ...master, ...args]);
  onTestFinished(() => void running.child.kill("SIGKILL"));
  // The address comes through another pipe than the hint, so either may be here first.
  const [ui] = await Promise.all([firstLine(running.child.stdout), running.saying("Ctrl-C")]);
  return { ui, running };
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

  test("leads to the port with TLS, if its port without TLS leads there", async () => {
    const authority = testAuthority("the driver's authority");
    const { plain } = await startTlsUi(authority.issue("driver"));
    await driverWith(plain);
    const { ui, running } = await shown("ui", "spark-jobs:etl-driver");
    expect(ui).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await pageOf(ui, authority.cert)).toBe("Spark Jobs");
    running.child.kill("SIGINT");
    expect((await running.ended).stderr).toContain("the certificate is the driver's own");
  });

  test("leads to the port with TLS that the configuration names, if redirects lead to a proxy", async () => {
    const authority = testAuthority("the driver's authority");
    const { tls } = await startTlsUi(authority.issue("driver"));
    const plain = await served(
      createServer((_, response) => void response.writeHead(302, { location: "https://proxy.example/" }).end()),
    );
    await driverWith(plain, {
      ...{ "spark.ssl.ui.enabled": "true", "spark.ssl.ui.port": String(tls) },
      "spark.ui.proxyRedirectUri": "https://proxy.example",
    });
    const { ui, running } = await shown("ui", "spark-jobs:etl-driver");
    expect(ui).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/jobs\/$/);
    expect(await pageOf(ui, authority.cert)).toBe("Spark Jobs");
    running.child.kill("SIGINT");
    expect((await running.ended).stderr).toContain("its redirects lead to https://proxy.example");
  });

  test("leads to the port that Spark has taken, because its own was not free", async () => {
    const port = await startUi();
    const pod = await driverWith(1);
    cluster.writeLog(pod, [
      "WARN Utils: Service 'SparkUI' could not bind on port 1. Attempting port 2.",
      `INFO Utils: Successfully started service 'SparkUI' on port ${port}.`,
    ]);
    const { ui, running } = await shown("ui", "spark-jobs:etl-driver");
    expect(await (await fetch(ui)).text()).toContain("Spark Jobs");
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 0, stderr: "Ctrl-C ends it.\n" });
  });

  test("says that there is none if it is turned off", async () => {
    await driverWith(await startUi(), { "spark.ui.enabled": "FALSE" });
    const { code, stdout, stderr } = await kindling(["ui", ...master, "spark-jobs:etl-driver"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: spark-jobs:etl-driver has no web UI, as spark\.ui\.enabled is false\nhint: /);
  });

  test("says that its links are made for a proxy", async () => {
    await driverWith(await startUi(), { "spark.ui.reverseProxy": "true", "spark.app.id": "spark-etl" });
    const { running } = await shown("ui", "spark-jobs:etl-driver");
    running.child.kill("SIGINT");
    expect((await running.ended).stderr).toContain("its links are made for a proxy at /proxy/spark-etl");
  });

  test("waits for a driver that has not started", async () => {
    cluster.hold();
    const pod = await driverWith(await startUi(), {}, "Pending");
    const running = startKindling(["ui", ...master, "spark-jobs:etl-driver"]);
    onTestFinished(() => void running.child.kill("SIGKILL"));
    await running.saying("etl-driver has not started, and is waited for");
    cluster.release();
    await cluster.inPhase(pod, "Running");
    await running.saying("Ctrl-C");
    running.child.kill("SIGINT");
    expect((await running.ended).stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/);
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
