import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { digestOf } from "@kindling/staging-client";
import { pod } from "./support/localizer-process.ts";
import { sendFile, webServer } from "./support/web-server.ts";

test("with nothing to bring it ends at once, without loading what the network needs", async () => {
  const { folder, run } = pod();
  // Shows which of Node's own modules were loaded.
  const probe = folder.write(
    "probe.cjs",
    `process.on("exit", () => {
       const loaded = process.moduleLoadList.filter((name) => /^NativeModule (http|https|tls|internal\\/deps\\/undici)/.test(name));
       process.stderr.write("loaded: " + loaded.join() + "\\n");
     });`,
  );
  const { code, stderr } = await run({ files: [] }, { nodeOptions: ["--require", probe] });
  expect(stderr).toBe("nothing to do\nloaded: \n");
  expect(code).toBe(0);
});

test("the configuration's path may come from the environment", async () => {
  const { folder, run } = pod();
  const env = { KINDLING_LOCALIZER_CONFIG: folder.write("c.json", '{"version":1,"files":[],"roots":["/r"]}') };
  expect((await run({ files: [] }, { args: [], env })).code).toBe(0);
});

test.each<[string, (folder: string) => string[], string]>([
  ["no configuration", () => [], "no configuration is named"],
  ["too many arguments", () => ["a", "b"], "there are too many arguments"],
  ["a file that does not exist", () => ["/nowhere/c.json"], "there is no file /nowhere/c.json"],
  ["a directory", (folder) => [folder], "it is no file"],
  ["a device that never ends", () => ["/dev/zero"], "it is no file"],
  [
    "a named pipe that nobody writes to",
    (folder) => (execFileSync("mkfifo", [`${folder}/p`]), [`${folder}/p`]),
    "it is no file",
  ],
])("%s is exit code 2, with the reason in the termination log", async (_, args, problem) => {
  const { folder, run } = pod();
  const { code, failure, stderr } = await run({ files: [] }, { args: args(folder.path) });
  expect(code).toBe(2);
  expect(failure).toMatchObject({ reason: "config", message: expect.stringContaining(problem) as string });
  expect(stderr).toContain(`failed (config): ${failure.message}`);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("a configuration that is wrong is named by its field", async () => {
  const { run } = pod();
  const { code, failure } = await run({ files: [{ from: { uri: "gopher://h/x" }, to: "/etc/x" }] });
  expect(code).toBe(2);
  expect(failure.message).toMatch(
    /config\.json: files\[0\]\.from\.uri has the scheme gopher, .*supported are http, https/,
  );
});

test("the help says how to call it", () => {
  const bin = new URL("../bin/kindling-localizer.cjs", import.meta.url).pathname;
  expect(execFileSync(process.execPath, [bin, "--help"], { encoding: "utf8" })).toContain("kindling-localizer CONFIG");
});

test("without a termination log, the reason is in the log alone", async () => {
  const { folder, run } = pod();
  const { code, stderr } = await run({ files: [] }, { args: ["/no"], env: { TERMINATION_LOG: folder.at("missing") } });
  expect(code).toBe(2);
  expect(stderr).toContain("there is no file /no");
  expect(existsSync(folder.at("missing"))).toBe(false);
});

test.each(["SIGTERM", "SIGINT"] as const)("%s ends it fast, and the next run goes on", async (signal) => {
  const { start, run, volume, tree } = pod();
  const bytes = Buffer.alloc(300_000, "x");
  let whole = false;
  const server = await webServer((request, response) =>
    sendFile(request, response, { bytes, etag: '"1"', ...(!whole && { stallAfter: 100_000 }) }),
  );
  const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a`, digest: digestOf(bytes) }];
  const first = start({ files });
  while (!existsSync(`${volume}/a.part`) || statSync(`${volume}/a.part`).size < 100_000) await wait(5);
  const told = Date.now();
  first.child.kill(signal);
  const { code, failure } = await first.ended;
  expect(Date.now() - told).toBeLessThan(2000);
  expect(code).toBe(143);
  expect(failure).toMatchObject({ reason: "interrupted", message: "told to stop" });
  expect(Object.keys(tree())).toEqual(["a.part", "a.part.etag"]);
  whole = true;
  expect((await run({ files })).code).toBe(0);
  expect(server.requests[1]?.headers.range).toBe("bytes=100000-");
  expect(tree()).toEqual({ a: `644 ${bytes.toString()}` });
});

test("the deadline ends it, also while a server is only slow", async () => {
  const { run, volume } = pod();
  const server = await webServer((_, response) => {
    const drip = setInterval(() => response.write("x"), 50);
    response.on("close", () => clearInterval(drip));
  });
  const started = Date.now();
  const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a` }];
  const { code, failure } = await run({ files, deadlineSeconds: 1 });
  expect(code).toBe(12);
  expect(failure).toMatchObject({ reason: "deadline", file: `${server.uri}/a to ${volume}/a` });
  expect(Date.now() - started).toBeLessThan(4000);
});

test("the first failure ends the others, and leaves what is done", async () => {
  const { run, volume, tree } = pod();
  const server = await webServer((request, response) => {
    if (request.url === "/good") response.end("x");
    else if (request.url === "/bad") setTimeout(() => response.writeHead(404).end(), 200);
  });
  const files = ["good", "hangs", "bad"].map((name) => ({
    from: { uri: `${server.uri}/${name}` },
    to: `${volume}/${name}`,
  }));
  const { code, failure } = await run({ files });
  expect(code).toBe(3);
  expect(failure.file).toBe(`${server.uri}/bad to ${volume}/bad`);
  expect(tree()).toMatchObject({ good: "644 x" });
});

// Root may write everywhere; another user may not even be able to run root's Node.
const uid = process.getuid?.() === 0 ? 65_534 : undefined;
const RUNS = spawnSync(process.execPath, ["-e", "0"], { ...(uid !== undefined && { uid }), cwd: "/" }).status === 0;

test.runIf(RUNS)("a volume that cannot be written to is an error that says what to do", async () => {
  const { run, volume } = pod();
  const server = await webServer((_, response) => response.end("x"));
  mkdirSync(`${volume}/closed`);
  chmodSync(`${volume}/closed`, 0o555);
  const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/closed/a` }];
  const { code, failure } = await run({ files }, uid === undefined ? {} : { uid });
  expect(code).toBe(6);
  expect(failure).toMatchObject({ reason: "disk", hint: expect.stringContaining("fsGroup") as string });
  expect(failure.message).toContain(`${volume}/closed/a`);
  expect(failure.message).not.toContain("/proc/self");
});

test("memory is bounded, whatever the size of a file", { timeout: 60_000 }, async () => {
  const { folder, run, volume } = pod();
  // The resource usage of a process begins with that of the one that started it, so the kernel's own record is read.
  const probe = folder.write(
    "probe.cjs",
    `const { readFileSync } = require("node:fs");
     const peak = () => /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))[1];
     process.on("exit", () => process.stderr.write("peak " + peak() + "\\n"));`,
  );
  const chunk = Buffer.alloc(1024 * 1024);
  const server = await webServer((_, response) => {
    let left = 200;
    const more = (): void => {
      while (left > 0 && response.write(chunk)) left--;
      if (left-- > 0) response.once("drain", more);
      else response.end();
    };
    more();
  });
  const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a` }];
  const { code, stderr } = await run({ files }, { nodeOptions: ["--require", probe] });
  expect(code, stderr).toBe(0);
  expect(statSync(`${volume}/a`).size).toBeGreaterThan(200_000_000);
  expect(Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1024).toBeLessThan(160);
});
