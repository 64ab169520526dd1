import { fileURLToPath } from "node:url";
import { buildIfStale } from "@kindling/test-kit/fresh-bundle";

export function setup(): void {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const inside = ["command-line", "core-spec", "http", "object-store", "outside", "staging-client"];
  buildIfStale(folder, "dist/localizer.cjs", inside);
}
