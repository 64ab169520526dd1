import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundleSource, connectStaging, downloadFile, uploadBundle } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { stagingCommand } from "@kindling/test-kit/staging-command";
import { STORE_KINDS } from "../src/stores/stores.ts";
import { PROGRAM } from "./support/program.ts";
import { sample } from "./support/stage.ts";
import { TEST_OWNER } from "./support/test-server.ts";

function output(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

it("keeps what was uploaded over a restart", async () => {
  const folder = scratchFolder().path;
  const config = join(folder, "server.properties");
  await writeFile(
    config,
    `listen.host=127.0.0.1\nlisten.port=0\nadmin.port=0\nlifecycle.owners=none\nstore.path=${folder}/data\nstore.minFree=0\n`,
  );
  const first = await stagingCommand(PROGRAM, ["--config", config]);
  const { bytes } = sample(12_000_000);
  await writeFile(join(folder, "app.jar"), bytes);
  const files = [{ path: join(folder, "app.jar"), name: "jars/app.jar", kind: "jar" }];
  const uploader = connectStaging({ uri: first.uri });
  const bundle = await uploadBundle(uploader, { files, owner: TEST_OWNER });
  uploader.close();
  expect(await first.stop()).toBe(0);

  const second = await stagingCommand(PROGRAM, ["--config", config]);
  const client = connectStaging({ uri: second.uri });
  const manifest = await client.manifest(bundle.bundleId, {
    secret: bundle.secret,
    manifestDigest: bundle.manifestDigest,
  });
  for (const { name, digest, size, mode } of manifest.files) {
    const source = bundleSource(client.connection, { bundleId: bundle.bundleId, secret: bundle.secret, name });
    const target = join(folder, "fetched.jar");
    expect(await downloadFile({ source, target, digest, size, mode })).toMatchObject({ outcome: "fetched" });
    expect((await readFile(target)).equals(bytes)).toBe(true);
  }
  const again = await uploadBundle(client, { files, owner: TEST_OWNER });
  expect(again.progress).toMatchObject({ filesSkipped: 1, bytesSent: 0 });
  client.close();
  expect(await second.stop()).toBe(0);
}, 30_000);

it("says in one line what is wrong with its settings", async () => {
  expect(await output([])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^error: auth.mode is not set.*\nhint: .*\n$/) as string,
  });
  expect((await output(["--listen-prot", "1"])).stderr).toContain("did you mean --listen-port?");
  expect((await output(["--config", "/no/such/file"])).stderr).toMatch(/cannot read \/no\/such\/file/);
  const nowhere = ["--listen-host", "127.0.0.1", "--lifecycle-owners", "none", "--store-path", "/proc/nowhere"];
  expect((await output(nowhere)).stderr).toMatch(/data folder \/proc\/nowhere cannot be used/);
});

it("explains its settings", async () => {
  const { code, stdout } = await output(["--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain(`--store-kind <${STORE_KINDS.join(" | ")}>`);
});

it("does not share its folder with another server", async () => {
  const folder = scratchFolder().path;
  const args = [
    "--listen-host",
    "127.0.0.1",
    "--listen-port",
    "0",
    "--admin-port",
    "0",
    "--lifecycle-owners",
    "none",
    "--store-path",
    folder,
  ];
  const first = await stagingCommand(PROGRAM, args);
  const second = await output(args);
  expect(second.code).toBe(1);
  expect(second.stderr).toContain("in use by another staging server");
  await first.stop();
  const third = await stagingCommand(PROGRAM, args);
  expect(await third.stop()).toBe(0);
}, 20_000);
