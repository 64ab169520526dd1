// Runs `pnpm install` and then a pnpm command, with the pnpm that package.json pins: the one on PATH where it is that
// version, else fetched by npx. So `npm test` works on a machine that has nothing but Node.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const root = new URL("..", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const version = /^pnpm@([^+]+)/.exec(manifest.packageManager)[1];

function pnpmOnPath() {
  try {
    const found = execFileSync("pnpm", ["--version"], { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
    return found.toString().trim() === version;
  } catch {
    return false;
  }
}

const [command, ...prefix] = pnpmOnPath() ? ["pnpm"] : ["npx", "--yes", `pnpm@${version}`];

function pnpm(...args) {
  const result = spawnSync(command, [...prefix, ...args], { cwd: root, stdio: "inherit" });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

pnpm("install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn");
pnpm(...process.argv.slice(2));
