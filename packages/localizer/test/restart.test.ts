import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { freePort } from "@kindling/test-kit/free-port";
import { pod, type RunningLocalizer } from "./support/localizer-process.ts";
import { stage, stageV0 } from "./support/staged-bundle.ts";
import { sharedServer, stagingServer } from "./support/staging-server.ts";
import { tarBytes } from "./support/tar-bytes.ts";
import { webServer } from "./support/web-server.ts";

const server = sharedServer();
const KILLS = 10;

test("killed at any moment it leaves nothing half-made, and the last run completes", { timeout: 60_000 }, async () => {
  const { start, run, volume, folder, tree } = pod();
  const jar = randomBytes(8_000_000);
  const members = Array.from({ length: 1500 }, (_, index) => ({ name: `d${index % 50}/f${index}`, content: "x" }));
  const staged = await stage(server(), folder, { "app.jar": jar, env: gzipSync(tarBytes(members)) });
  const old = await stageV0(server(), folder, { "a.jar": "a".repeat(100_000), "b.jar": "b" });
  folder.mkdir("volume/jars");
  const files = [
    ...["app.jar", "env"].map((name) => {
      const { digest, size } = staged.files.get(name) ?? { digest: "", size: 0 };
      return { from: { bundle: "app", file: name }, to: `${volume}/${name}`, digest, size, unpack: name === "env" };
    }),
    { from: { bundle: "old" }, to: `${volume}/jars` },
  ];
  const config = { roots: [volume, `${volume}/jars`], bundles: { app: staged.config, old }, files };

  const expected = new Map([
    ["app.jar", `644 ${jar.toString("latin1")}`],
    ["jars/a.jar", `644 ${"a".repeat(100_000)}`],
    ["jars/b.jar", "644 b"],
  ]);
  const check = (): void => {
    const found = tree();
    for (const [name, content] of expected) {
      if (name in found && found[name] !== content) throw new Error(`${name} is there, and wrong`);
    }
    // The directory of an archive appears with all of its contents.
    const unpacked = Object.keys(found).filter((name) => /^env\/d\d+\/f\d+$/.test(name));
    expect([0, members.length]).toContain(unpacked.length);
  };

  const began = Date.now();
  await pod().run({ files: [] });
  const [empty, whole] = [Date.now() - began, 3 * (Date.now() - began) + 200];
  for (let kill = 0; kill < KILLS; kill++) {
    const running = start(config);
    await Promise.race([running.ended, wait(empty / 2 + (kill * whole) / KILLS)]);
    running.child.kill("SIGKILL");
    await running.ended;
    check();
  }
  const { code, stderr } = await run(config);
  expect(code, stderr).toBe(0);
  const found = tree();
  for (const [name, content] of expected) expect(found[name] === content, name).toBe(true);
  expect(Object.keys(found).filter((name) => /\.(part|archive|unpacking|replaced|etag)/.test(name))).toEqual([]);
});

async function line(running: RunningLocalizer, pattern: RegExp): Promise<void> {
  let text = "";
  const { stderr } = running.child;
  if (stderr === null) throw new Error("no stderr");
  while (!pattern.test(text)) text += String((await once(stderr, "data"))[0]);
}

test("a server that is away is waited for", async () => {
  const { start, volume, tree } = pod();
  const port = await freePort();
  const running = start({ files: [{ from: { uri: `http://127.0.0.1:${port}/a` }, to: `${volume}/a` }] });
  await line(running, /^wait .*\/a: .*connection refused/m);
  await webServer((_, response) => response.end("back"), { port });
  expect((await running.ended).code).toBe(0);
  expect(tree()).toEqual({ a: "644 back" });
});

test("a staging server that is started anew in between goes on serving the same bundle", async () => {
  const { start, volume, folder, tree } = pod();
  const settings = { "listen-port": await freePort(), "store-path": folder.mkdir("store") };
  const first = await stagingServer(settings);
  const names = Array.from({ length: 60 }, (_, index) => `${index}`);
  const staged = await stage(first, folder, Object.fromEntries(names.map((name) => [name, name])));
  const running = start({
    parallel: 1,
    bundles: { app: staged.config },
    files: names.map((name) => ({ from: { bundle: "app", file: name }, to: `${volume}/${name}` })),
  });
  await line(running, /^done /m);
  await first.stop();
  await stagingServer(settings);
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(0);
  expect(tree()).toEqual(Object.fromEntries(names.map((name) => [name, `644 ${name}`])));
});

test("a thousand files are brought", { timeout: 60_000 }, async () => {
  const { run, volume, folder, tree } = pod();
  const names = Array.from({ length: 1000 }, (_, index) => `files/${index}`);
  // Only few contents are different, so that the staging is fast.
  const staged = await stage(server(), folder, Object.fromEntries(names.map((name) => [name, name.slice(-1)])));
  const files = names.map((name) => ({ from: { bundle: "app", file: name }, to: `${volume}/${name}` }));
  const { code, stderr } = await run({ bundles: { app: staged.config }, files });
  expect(code, stderr.slice(-500)).toBe(0);
  expect(stderr).toContain("\n1000 files, ");
  expect(Object.keys(tree())).toHaveLength(1001);
});
