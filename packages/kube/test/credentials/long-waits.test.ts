import { execFileSync } from "node:child_process";
import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../src/conformance/eventually.ts";
import { loadClusterAccess, resources, type ClusterAccess, type LoadOptions } from "../../src/index.ts";
import { asAsked } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { ManualClock } from "@kindling/outside";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { startStub } from "@kindling/test-kit/stub-server";
import { testClient } from "../fixtures/test-client.ts";

const V1 = "client.authentication.k8s.io/v1";
const CREDENTIAL = JSON.stringify({ apiVersion: V1, kind: "ExecCredential", status: { token: "t" } });
const FOR_EVER = "setInterval(() => undefined, 1_000);";

/** Loads a user's credentials as the test says; announced waits go into the list. */
function load(
  folder: ScratchFolder,
  user: object,
  options: LoadOptions = {},
  server = "https://api.example.com",
): Promise<ClusterAccess> {
  const config = {
    "current-context": "c",
    clusters: [{ name: "c", cluster: { server } }],
    contexts: [{ name: "c", context: { cluster: "c", user: "ann" } }],
    users: [{ name: "ann", user }],
  };
  const kubeconfigPath = folder.write("config", JSON.stringify(config));
  return loadClusterAccess({ env: { PATH: process.env["PATH"] }, kubeconfigPath, ...options });
}

/** A plug-in that records its process id and those of its child processes. */
function plugin(folder: ScratchFolder, program: string): object {
  const pids = JSON.stringify(join(folder.path, "pids"));
  const command = folder.writeCommand(
    "plugin",
    `const { appendFileSync } = require("node:fs");
     const { spawn } = require("node:child_process");
     const note = (pid) => appendFileSync(${pids}, pid + "\\n");
     const child = (program, stdio) => note(spawn(process.execPath, ["-e", program], { stdio }).pid);
     note(process.pid);
     ${program}`,
  );
  return { exec: { apiVersion: V1, interactiveMode: "Never", command } };
}

function pidsIn(folder: ScratchFolder): number[] {
  const path = join(folder.path, "pids");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").map(Number) : [];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // An ended process keeps its id until its parent has waited for it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function credentialsOf(access: ClusterAccess): Promise<unknown> {
  return Promise.resolve(access.credentials.current());
}

describe("a credential plug-in that hangs", () => {
  test("is announced, then ended with all that it has started, and named in an error", async () => {
    const folder = scratchFolder();
    const notices: string[] = [];
    const deaf = `process.on("SIGTERM", () => undefined); ${FOR_EVER}`;
    const user = plugin(folder, `child(${JSON.stringify(deaf)}, "inherit"); child("${FOR_EVER}", "inherit"); ${deaf}`);
    const clock = new ManualClock();
    const access = await load(folder, user, { onWait: (notice) => notices.push(notice), clock });
    const waiting = caught(credentialsOf(access));
    await eventually("it and two others run", () => pidsIn(folder).filter(isRunning).length === 3);
    clock.advanceAtOnce(2_999);
    expect(notices).toEqual([]);
    clock.advanceAtOnce(57_000);
    expect(pidsIn(folder).every(isRunning)).toBe(true);
    clock.advanceAtOnce(1);
    const error = await waiting;
    const whose = `user "ann" in ${join(folder.path, "config")}`;
    const command = join(folder.path, "plugin");
    expect(notices).toEqual([`waiting for the credential plug-in ${command} of ${whose}, for 60 s at most`]);
    expect(error).toMatchObject({
      kind: "credentials",
      message: `${whose} (exec plug-in ${command}) gave no credentials within 60 s, and was ended`,
      hint: `run ${command} by itself, as the kubeconfig says, to see what it waits for`,
    });
    // They ignore SIGTERM.
    clock.advanceAtOnce(1_000);
    await eventually("all of them have ended", () => !pidsIn(folder).some(isRunning));
  });

  test("is given the time that a person needs where there is a terminal", async () => {
    const folder = scratchFolder();
    const clock = new ManualClock();
    const isTerminal = (stream: string): boolean => stream === "stderr";
    const access = await load(folder, plugin(folder, FOR_EVER), { interactive: true, isTerminal, clock });
    const waiting = caught(credentialsOf(access));
    await eventually("it runs", () => pidsIn(folder).filter(isRunning).length === 1);
    clock.advanceAtOnce(299_000);
    expect(pidsIn(folder).every(isRunning)).toBe(true);
    clock.advanceAtOnce(1_000);
    expect((await waiting).message).toContain("gave no credentials within 300 s");
    await eventually("it has ended", () => !pidsIn(folder).some(isRunning));
  });

  test("is not announced by one that is quick", async () => {
    const folder = scratchFolder();
    const notices: string[] = [];
    const user = plugin(folder, `console.log(${JSON.stringify(CREDENTIAL)});`);
    const options = { onWait: (notice: string) => notices.push(notice), credentialTimes: { noticeMs: 60_000 } };
    expect(await credentialsOf(await load(folder, user, options))).toEqual({ authorization: "Bearer t" });
    expect(notices).toEqual([]);
  });

  test("may leave something behind that keeps its output open: what it has printed counts", async () => {
    const folder = scratchFolder();
    const leaves = `child("${FOR_EVER}", ["ignore", "inherit", "inherit"]); console.log(${JSON.stringify(CREDENTIAL)}); process.exit();`;
    const access = await load(folder, plugin(folder, leaves));
    expect(await credentialsOf(access)).toEqual({ authorization: "Bearer t" });
    for (const pid of pidsIn(folder)) if (isRunning(pid)) process.kill(pid, "SIGKILL");
  });

  test("ends with the request that alone has waited for it", async () => {
    const folder = scratchFolder();
    const stub = await startStub(asAsked);
    const client = testClient(await load(folder, plugin(folder, FOR_EVER), {}, stub.url));
    const controller = new AbortController();
    const getting = caught(client.get(resources.pods, "p", { signal: controller.signal }));
    await eventually("it runs", () => pidsIn(folder).filter(isRunning).length === 1);
    controller.abort();
    expect(await getting).toMatchObject({ kind: "aborted", mayHaveHappened: false });
    await eventually("it has ended", () => !pidsIn(folder).some(isRunning));
    expect(stub.requests).toHaveLength(0);
  });

  test("ends with the client", async () => {
    const folder = scratchFolder();
    const client = testClient(await load(folder, plugin(folder, FOR_EVER)));
    const getting = caught(client.get(resources.pods, "p"));
    await eventually("it runs", () => pidsIn(folder).filter(isRunning).length === 1);
    client.close();
    expect(await getting).toMatchObject({ kind: "aborted" });
    await eventually("it has ended", () => !pidsIn(folder).some(isRunning));
  });

  test("goes on for those who still wait when one of them gives up", async () => {
    const folder = scratchFolder();
    const stub = await startStub(asAsked);
    const go = join(folder.path, "go");
    const user = plugin(
      folder,
      `setInterval(() => {
         if (!require("node:fs").existsSync(${JSON.stringify(go)})) return;
         console.log(${JSON.stringify(CREDENTIAL)});
         process.exit();
       }, 5);`,
    );
    const client = testClient(await load(folder, user, {}, stub.url));
    const controller = new AbortController();
    const first = caught(client.get(resources.pods, "p", { signal: controller.signal }));
    const second = client.get(resources.pods, "q");
    await eventually("it runs", () => pidsIn(folder).filter(isRunning).length === 1);
    controller.abort();
    expect(await first).toMatchObject({ kind: "aborted" });
    folder.write("go", "");
    expect((await second).metadata?.name).toBe("q");
    expect(pidsIn(folder)).toHaveLength(1);
  });

  test("that asks for input has none where standard input is no terminal", async () => {
    const folder = scratchFolder();
    const { exec } = plugin(folder, FOR_EVER) as { exec: object };
    const user = { exec: { ...exec, interactiveMode: "Always" } };
    const access = await load(folder, user, { interactive: true, isTerminal: () => false });
    expect((await caught(credentialsOf(access))).message).toContain("asks for input, and there is no terminal");
  });
});

test("a plug-in's complaint and version are quoted, and no more than that", async () => {
  for (const program of [
    `process.stderr.write("ä".repeat(500_000), () => process.exit(1));`,
    `process.stdout.write(JSON.stringify({ kind: "ExecCredential", apiVersion: "v".repeat(500_000) }));`,
  ]) {
    const folder = scratchFolder();
    const error = await caught(credentialsOf(await load(folder, plugin(folder, program))));
    expect(error.kind).toBe("credentials");
    expect(Buffer.byteLength(error.message)).toBeLessThan(1_500);
  }
});

test.each([
  ["null", "printed something that is not an ExecCredential"],
  ["[]", "printed something that is not an ExecCredential"],
  [JSON.stringify({ kind: "ExecCredential", apiVersion: 5 }), "printed apiVersion (none)"],
  [JSON.stringify({ kind: "ExecCredential", apiVersion: V1, status: null }), "printed neither a token nor a client"],
  [JSON.stringify({ kind: "ExecCredential", apiVersion: V1, status: "t" }), "printed neither a token nor a client"],
])("a plug-in that prints %s", async (text, words) => {
  const folder = scratchFolder();
  const error = await caught(
    credentialsOf(await load(folder, plugin(folder, `console.log(${JSON.stringify(text)});`))),
  );
  expect(error.message).toContain(words);
});

describe("a file that is no regular one", () => {
  function fifo(folder: ScratchFolder): string {
    const path = join(folder.path, "pipe");
    execFileSync("mkfifo", [path]);
    return path;
  }

  test("is no token file and no kubeconfig: nobody waits for a writer that may never come", async () => {
    const folder = scratchFolder();
    const path = fifo(folder);
    const access = await load(folder, { tokenFile: path });
    const error = await caught(credentialsOf(access));
    expect(error).toMatchObject({ kind: "credentials" });
    expect(error.message).toContain(`the token file ${path} cannot be read (it is not a regular file)`);
    expect(await caught(loadClusterAccess({ env: {}, kubeconfigPath: path }))).toMatchObject({ kind: "config" });
    expect(await caught(loadClusterAccess({ env: {}, kubeconfigPath: "/dev/zero" }))).toMatchObject({ kind: "config" });
  });

  test("but a pipe that the shell has handed over is read, announced, and given up in time", async () => {
    const folder = scratchFolder();
    const handedOver = openSync(fifo(folder), constants.O_RDWR);
    const tokenFile = `/dev/fd/${handedOver}`;
    const notices: string[] = [];
    const clock = new ManualClock();
    const access = await load(folder, { tokenFile }, { onWait: (notice) => notices.push(notice), clock });
    const waiting = caught(credentialsOf(access));
    clock.advanceAtOnce(3_000);
    expect(notices).toEqual([`waiting for the contents of ${tokenFile}, for 60 s at most`]);
    clock.advanceAtOnce(60_000);
    expect((await waiting).message).toContain("it did not come to its end within 60 s");

    const reading = credentialsOf(await load(folder, { tokenFile }));
    writeSync(handedOver, "token\n");
    closeSync(handedOver);
    expect(await reading).toEqual({ authorization: "Bearer token" });
  });
});

test("the command of an auth-provider, which nothing can end, is announced before it is run", async () => {
  const folder = scratchFolder();
  const command = folder.writeCommand(
    "gcloud",
    `console.log(JSON.stringify({ token: "t", until: "2999-01-01T00:00:00Z" }));`,
  );
  const config = { "cmd-path": command, "token-key": "{.token}", "expiry-key": "{.until}" };
  const notices: string[] = [];
  const user = { "auth-provider": { name: "gcp", config } };
  const { credentials } = await load(folder, user, { onWait: (notice) => notices.push(notice) });
  expect(await credentials.current()).toEqual({ authorization: "Bearer t" });
  const whose = `user "ann" in ${join(folder.path, "config")}`;
  expect(notices).toEqual([`waiting for the command of the auth-provider gcp of ${whose}`]);
});
