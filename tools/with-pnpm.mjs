// @ts-check
// Runs `pnpm install` and then a pnpm command, with the pnpm that package.json pins. So `npm test` works on a machine that has
// only Node.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { withPinnedPnpm } from "./packages/pinned-pnpm.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const env = environment();

function environment() {
  try {
    return withPinnedPnpm(root);
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** @param {readonly string[]} args */
function pnpm(...args) {
  const result = spawnSync("pnpm", args, { cwd: root, env, stdio: "inherit" });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

pnpm("install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn");
pnpm(...process.argv.slice(2));
