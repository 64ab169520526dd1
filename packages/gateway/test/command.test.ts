import { execFile, spawn } from "node:child_process";
import { rename, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { ApiClient } from "@kindling/test-kit/api-client";
import { testAuthority } from "@kindling/test-kit/certificates";
import { eventually } from "@kindling/test-kit/eventually";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, onTestFinished, test } from "vitest";
import { FakeDriver, names } from "./support/fake-driver.ts";

const COMMAND = fileURLToPath(new URL("../bin/kindling-gateway.cjs", import.meta.url));
const run = promisify(execFile);

test("the help names every setting", async () => {
  const { stdout } = await run(process.execPath, [COMMAND, "--help"]);
  expect(stdout).toMatch(/^Usage: kindling-gateway/m);
  for (const flag of ["--tls-cert-file", "--auth-audiences", "--executors-concurrency"]) expect(stdout).toContain(flag);
});

test("nothing is served without a certificate, unless that is asked for", async () => {
  await expect(run(process.execPath, [COMMAND])).rejects.toMatchObject({
    stderr: expect.stringMatching(/tls\.certFile is not set, and drivers are served only over TLS/) as string,
  });
});

test.each([
  ["is not there", "./no.mjs", "executors.steps ./no.mjs: there is no such module"],
  ["exports no step", "./number.mjs", "executors.steps ./number.mjs: its default export is no step"],
])("a step that %s keeps the gateway from starting", async (_, steps, message) => {
  const folder = scratchFolder({ "number.mjs": "export default 1;" });
  const args = [COMMAND, "--tls-plain-http", "true", "--executors-steps", steps];
  await expect(run(process.execPath, args, { cwd: folder.path })).rejects.toMatchObject({
    stderr: expect.stringContaining(message) as string,
  });
});

test("a gateway whose port is taken says so, and ends", async () => {
  const cluster = await TestCluster.start();
  const ports = ["--listen-host", "127.0.0.1", "--listen-port", new URL(cluster.url).port, "--admin-port", "0"];
  const args = [COMMAND, "--tls-plain-http", "true", "--cluster-kubeconfig", kubeconfigFor(cluster), ...ports];
  await expect(run(process.execPath, args, { timeout: 30_000 })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("change listen.host or listen.port") as string,
  });
});

test("the command serves drivers over TLS, reads a renewed certificate, and stops when it is told to", async () => {
  const cluster = await TestCluster.start();
  const driver = await FakeDriver.run(cluster, "drv");
  const authority = testAuthority("cluster");
  const folder = scratchFolder();
  const [first, second] = [authority.issue("first"), authority.issue("second")];
  const [cert, key] = [folder.write("tls.crt", first.cert), folder.write("tls.key", first.key)];
  const settings = ["listen.host=127.0.0.1", "listen.port=0", "admin.host=127.0.0.1", "admin.port=0"];
  const tls = [`tls.certFile=${cert}`, `tls.keyFile=${key}`, "tls.reloadInterval=1s"];
  const file = folder.write(
    "gateway.properties",
    [...settings, ...tls, `cluster.kubeconfig=${kubeconfigFor(cluster)}`].join("\n"),
  );
  const child = spawn(process.execPath, [COMMAND, "--config", file], {
    env: { ...process.env, KINDLING_GATEWAY_CLUSTER_NAMESPACES: "spark-jobs" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: { readonly msg: string; readonly uri: string; readonly adminUri: string }[] = [];
  createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
  const { uri, adminUri } = await eventually(() => {
    const serving = lines.find(({ msg }) => msg === "serving");
    if (serving === undefined) throw new Error("it does not serve yet");
    return serving;
  });
  await eventually(async () => expect((await fetch(new URL("readyz", adminUri))).status).toBe(200));
  const url = new URL(uri);
  expect(url.protocol).toBe("https:");
  const client = (): ApiClient => {
    const made = new ApiClient({ url, authority: authority.cert, token: driver.token });
    onTestFinished(() => made.close());
    return made;
  };
  expect(names(await client().get(driver.path("pods")))).toEqual(["drv"]);
  const metrics = await (await fetch(new URL("metrics", adminUri))).text();
  expect(metrics).toMatch(/^gateway_applications 1$/m);
  expect(metrics).toMatch(
    /^gateway_http_request_duration_seconds_count\{verb="list",resource="pods",status="200"\} 1$/m,
  );
  expect(metrics).not.toContain("drv");

  const subject = async (): Promise<string> => {
    const response = await client().open("GET", driver.path("pods"));
    response.resume();
    const { socket } = response as unknown as {
      readonly socket: { getPeerCertificate(): { subject: { CN: string } } };
    };
    return socket.getPeerCertificate().subject.CN;
  };
  expect(await subject()).toBe("first");
  await writeFile(`${key}.new`, second.key);
  await writeFile(`${cert}.new`, second.cert);
  await rename(`${key}.new`, key);
  await rename(`${cert}.new`, cert);
  await eventually(async () => expect(await subject()).toBe("second"));

  // A container has half a minute before it is killed, and the application must not wait for a timer.
  child.kill("SIGTERM");
  await eventually(() => expect(child.exitCode).toBe(0), { timeout: 12_000 });
});
