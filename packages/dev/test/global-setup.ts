import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The command is tested as it is published, so it has to be built. */
export default function build(): void {
  if (!existsSync(new URL("../../devcluster/dist/index.js", import.meta.url))) {
    throw new Error("build the workspace first: pnpm build");
  }
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL("../../../node_modules/tsup/dist/cli-default.js", import.meta.url))],
    {
      cwd: root,
      stdio: "pipe",
    },
  );
}
