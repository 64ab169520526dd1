// @ts-check
// On a new machine, `npm test` first downloads pnpm from a registry. Its digest must be the one in package.json.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const tools = fileURLToPath(new URL("..", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "kindling-pnpm-"));
const RAN = "the pnpm of the registry was run";
let tarball = Buffer.alloc(0);
const registry = createServer((request, response) => {
  if (request.url?.endsWith(".tgz")) return response.end(tarball);
  // A malicious registry is consistent in itself: npm's own check finds nothing.
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const dist = { tarball: `${uri()}pnpm.tgz`, integrity };
  const versions = { "10.0.0": { name: "pnpm", version: "10.0.0", bin: "./pnpm.js", dist } };
  return response.end(JSON.stringify({ name: "pnpm", "dist-tags": { latest: "10.0.0" }, versions }));
});

function uri() {
  const address = registry.address();
  if (address === null || typeof address === "string") throw new Error("the registry does not listen");
  return `http://127.0.0.1:${address.port}/`;
}

beforeAll(async () => {
  const source = join(work, "pnpm");
  mkdirSync(source);
  writeFileSync(join(source, "package.json"), JSON.stringify({ name: "pnpm", version: "10.0.0", bin: "./pnpm.js" }));
  writeFileSync(join(source, "pnpm.js"), `#!/usr/bin/env node\nconsole.log(${JSON.stringify(RAN)});\n`);
  await run("npm", ["pack"], { cwd: source });
  tarball = readFileSync(join(source, "pnpm-10.0.0.tgz"));
  registry.listen(0, "127.0.0.1");
  await once(registry, "listening");
}, 120_000);

afterAll(() => {
  registry.close();
  rmSync(work, { recursive: true, force: true });
}, 120_000);

/**
 * A repository that pins a pnpm by some digest, on a machine that has no pnpm.
 *
 * @param {string} sha512
 */
function repository(sha512) {
  const root = mkdtempSync(join(work, "repository-"));
  cpSync(join(tools, "with-pnpm.mjs"), join(root, "tools", "with-pnpm.mjs"));
  cpSync(join(tools, "packages", "pinned-pnpm.mjs"), join(root, "tools", "packages", "pinned-pnpm.mjs"));
  writeFileSync(join(root, "package.json"), JSON.stringify({ packageManager: `pnpm@10.0.0+sha512.${sha512}` }));
  const withoutPnpm = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !existsSync(join(folder, "pnpm")));
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), ...withoutPnpm].join(delimiter),
    npm_config_registry: uri(),
    npm_config_cache: join(root, "npm-cache"),
  };
  return { root, start: () => run(process.execPath, [join(root, "tools", "with-pnpm.mjs"), "run", "test"], { env }) };
}

test("a pnpm of the pinned digest is fetched once, and run", { timeout: 120_000 }, async () => {
  const { root, start } = repository(createHash("sha512").update(tarball).digest("hex"));
  expect((await start()).stdout).toContain(RAN);
  rmSync(join(root, "npm-cache"), { recursive: true });
  expect((await start()).stdout).toContain(RAN);
  expect(existsSync(join(root, "npm-cache", "_cacache"))).toBe(false);
});

test("one of another digest is not run, and not kept", { timeout: 120_000 }, async () => {
  const { root, start } = repository("0".repeat(128));
  const failure = await start().then(
    ({ stdout }) => ({ stdout, stderr: "" }),
    (error) => error,
  );
  expect(failure.stderr).toContain(`package.json pins ${"0".repeat(128)}`);
  expect(failure.stdout).not.toContain(RAN);
  expect(readdirSync(join(root, ".cache"))).toEqual([]);
});
