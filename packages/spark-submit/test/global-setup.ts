import { fileURLToPath } from "node:url";
import { buildIfStale } from "@kindling/test-kit/fresh-bundle";

/** The executable runs the bundle of another package. */
export function setup(): void {
  const folder = fileURLToPath(new URL("../../submit-cli", import.meta.url));
  buildIfStale(folder, "dist/kindling.cjs", ["core-spec", "steps", "kube", "staging-client", "submit", "command-line"]);
}
