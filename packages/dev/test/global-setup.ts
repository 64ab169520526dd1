import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildIfStale } from "@kindling/test-kit/fresh-bundle";

export function setup(): void {
  if (!existsSync(new URL("../../devcluster/dist/index.js", import.meta.url))) {
    throw new Error("build the workspace first: pnpm build");
  }
  buildIfStale(fileURLToPath(new URL("..", import.meta.url)), "dist/main.js", []);
}
