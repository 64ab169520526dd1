// @ts-check
// What `npm test` runs after the build: every package's tests and the checks. Each runs even if the other fails. Tests often
// wait for processes and sockets. In that time the checks use the processors. They report when both have ended.
import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packedPackages } from "./packages/packed-packages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Lower than the priority of the tests, because some tests measure time. */
const PRIORITY_OF_CHECKS = 10;

// Both need the tarballs, so they are made once before.
packedPackages(root);
// All tests in few processes: vitest.base.ts.
process.env["KINDLING_TESTS_TOGETHER"] = "1";
const tests = start([join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...process.argv.slice(2)], "inherit");
const checks = start([join(root, "tools", "check.mjs")], "pipe");
if (checks.child.pid !== undefined) setPriority(checks.child.pid, PRIORITY_OF_CHECKS);
const said = [checks.child.stdout, checks.child.stderr].map((stream) => {
  /** @type {Buffer[]} */
  const chunks = [];
  stream?.on("data", (chunk) => chunks.push(chunk));
  return chunks;
});
const statuses = await Promise.all([tests.ended, checks.ended]);
for (const chunk of said.flat()) process.stdout.write(chunk);
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;

/**
 * Starts a program with Node. It counts as ended when its output has ended.
 *
 * @param {readonly string[]} args
 * @param {"inherit" | "pipe"} output
 */
function start(args, output) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["inherit", output, output] });
  return { child, ended: new Promise((resolve) => child.once("close", resolve)) };
}
