import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stagingCommand, type StagingCommand } from "@kindling/test-kit/staging-command";
import { afterAll, beforeAll } from "vitest";
import { scratchFolder } from "./scratch-folder.ts";

const require = createRequire(import.meta.url);
const PROGRAM = join(
  dirname(require.resolve("@kindling/staging-server/package.json")),
  "bin/kindling-staging-server.cjs",
);

/** Settings by the names of the command's flags. */
export type StagingSettings = Readonly<Record<string, string | number>>;

const DEFAULTS: StagingSettings = {
  "listen-host": "127.0.0.1",
  "listen-port": 0,
  "admin-host": "127.0.0.1",
  "admin-port": 0,
  "auth-mode": "none",
  "store-min-free": 0,
  "lifecycle-owners": "none",
  "shutdown-grace": 2,
};

/** A staging server on a free port and a folder of its own, removed when the test has ended. */
export async function stagingServer(settings: StagingSettings = {}): Promise<StagingCommand> {
  return await stagingCommand(PROGRAM, flags({ "store-path": scratchFolder().path, ...settings }));
}

/** One staging server for all tests of a file. */
export function sharedServer(): () => StagingCommand {
  let server: StagingCommand | undefined;
  const ends: (() => void)[] = [];
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "kindling-staging-"));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    server = await stagingCommand(PROGRAM, flags({ "store-path": folder }), (kill) => ends.unshift(kill));
  });
  afterAll(async () => {
    await server?.stop();
    for (const end of ends) end();
  });
  return () => {
    if (server === undefined) throw new Error("the shared server has not been started");
    return server;
  };
}

function flags(settings: StagingSettings): readonly string[] {
  return Object.entries({ ...DEFAULTS, ...settings }).flatMap(([name, value]) => [`--${name}`, String(value)]);
}
