// What `npm test` runs after the build: every package's tests, then the checks, both whatever the other says.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const commands = [
  [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...process.argv.slice(2)],
  [join(root, "tools", "check.mjs")],
];
for (const command of commands) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
