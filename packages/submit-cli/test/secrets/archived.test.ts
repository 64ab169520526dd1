import { applicationWithSecrets } from "@kindling/test-kit/application-with-secrets";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { BIN, start } from "../fixtures/kindling-process.ts";
import { recorded, type Recorded } from "../fixtures/recorded.ts";

/** Every command that shows what a recorder keeps, and every form. */
const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ["history"],
  ["history", "-o", "json"],
  ["history", "-o", "yaml"],
  ["status", "daily"],
  ["status", "daily", "-o", "json"],
  ["status", "daily", "-o", "yaml"],
  ["logs", "daily"],
  ["logs", "daily", "--executor", "1"],
  ["logs", "daily", "--previous"],
  ["diff", "daily"],
  ["diff", "daily", "-o", "json"],
  ["cost", "--by", "label:api-token"],
  ["cost", "--by", "name", "-o", "csv"],
  ["cost", "-o", "json"],
];

const TOOLS: readonly (readonly [name: string, given: object])[] = [
  ["list_runs", {}],
  ["explain_run", { name: "daily" }],
  ["read_log", { name: "daily" }],
  ["read_log", { name: "daily", executor: "1" }],
  ["compare_runs", { before: "daily~1", after: "daily" }],
  ["sum_usage", { by: "label:api-token" }],
];

async function toldToAssistants({ reach }: Recorded): Promise<string> {
  const calls = TOOLS.map(([name, given], id) =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } }),
  );
  const input = scratchFolder().write("input", `${calls.join("\n")}\n`);
  const command = ["-c", 'exec "$0" "$@" < "$INPUT"', process.execPath, BIN, "mcp", ...reach];
  const { stdout, stderr } = await start("/bin/sh", command, { env: { INPUT: input } }).ended;
  expect(stdout.trimEnd().split("\n").length).toBe(TOOLS.length);
  expect(stdout).not.toContain('"isError":true');
  return stdout + stderr;
}

test("no secret of an application whose pods are gone is shown by any command", async () => {
  const scene = await recorded();
  const app = applicationWithSecrets();
  const how = { exitCode: 1, log: app.log, executor: app.log, secrets: app };
  await scene.gone("daily", { ...how, id: "spark-1", driver: "daily-1-driver" });
  await scene.gone("daily", { ...how, id: "spark-2", driver: "daily-2-driver" });
  const shownIn = (text: string): readonly string[] => app.secrets.filter((secret) => text.includes(secret));
  for (const [command, ...more] of COMMANDS) {
    const { code, stdout, stderr } = await scene.run(command, ...more);
    expect({ command, more, code, secrets: shownIn(stdout + stderr) }).toEqual({ command, more, code: 0, secrets: [] });
  }
  expect(shownIn(await toldToAssistants(scene))).toEqual([]);
}, 120_000);
