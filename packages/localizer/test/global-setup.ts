import { fileURLToPath } from "node:url";
import { buildIfStale } from "../../../tools/testing/fresh-bundle.ts";

export function setup(): void {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  buildIfStale(folder, "dist/localizer.cjs", ["core-spec", "staging-client"]);
}
