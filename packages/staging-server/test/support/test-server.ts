import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import {
  connectStaging,
  type ConnectOptions,
  type Lease,
  type StagedResourcesOwner,
  type StagingClient,
} from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { loadConfig } from "../../src/config/load-config.ts";
import type { ServerConfig } from "../../src/config/server-config.ts";
import type { ServerOptions } from "../../src/server/open-server.ts";
import type { StagingServer } from "../../src/server/serve.ts";
import { startStagingServer } from "../../src/server/staging-server.ts";
import { httpCall, type Answer, type Call } from "./http-call.ts";

export interface TestServer extends StagingServer {
  readonly config: ServerConfig;
  readonly logLines: string[];
  /** A request to a path of the protocol. */
  call(path: string, call?: Call): Promise<Answer>;
  client(options?: Partial<ConnectOptions>): StagingClient;
  /** Stops, and starts again on the same folder. */
  restart(): Promise<TestServer>;
}

export const TEST_OWNER: StagedResourcesOwner = {
  ownerNamespace: "default",
  ownerLabels: { "spark-app-selector": "spark-1" },
  ownerType: "Pod",
};

const DEFAULTS: Partial<ServerConfig> = {
  "listen.host": "127.0.0.1",
  "listen.port": 0,
  "admin.host": "127.0.0.1",
  "admin.port": 0,
  "store.minFree": 0,
  "lifecycle.owners": "none",
  "shutdown.grace": 2,
};

/** A server on a free port and a folder of its own, removed when the test has ended. */
export async function testServer(
  settings: Partial<ServerConfig> = {},
  world: Partial<ServerOptions> = {},
): Promise<TestServer> {
  const server = await start({ "store.path": scratchFolder().path, ...settings }, world, onTestFinished);
  onTestFinished(() => server.stop());
  return server;
}

/** One server for all tests of a file that do not influence each other. */
export function sharedServer(settings: Partial<ServerConfig> = {}): () => TestServer {
  let server: TestServer | undefined;
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "kindling-staging-"));
    server = await start({ "store.path": folder, ...settings }, {}, onTestFinished);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return () => {
    if (server === undefined) throw new Error("the shared server has not been started");
    return server;
  };
}

async function start(
  settings: Partial<ServerConfig>,
  world: Partial<ServerOptions>,
  finished: (undo: () => void | Promise<void>) => void,
): Promise<TestServer> {
  const declared = loadConfig({ args: ["--listen-host", "127.0.0.1"], env: {}, readFile: () => "" });
  const config = { ...declared, ...DEFAULTS, ...settings };
  const logLines: string[] = [];
  const server = await startStagingServer(config, {
    log: { write: (line) => void logLines.push(line) },
    connectCluster: () => Promise.reject(new Error("this test has no cluster")),
    ...world,
  });
  return {
    ...server,
    config,
    logLines,
    call: (path, call) => httpCall(new URL(path, server.uri).href, call),
    client(options = {}) {
      const client = connectStaging({ uri: server.uri, ...options });
      finished(() => client.close());
      return client;
    },
    async restart() {
      await server.stop();
      return await testServer(settings, world);
    },
  };
}

export function jsonCall(document: unknown, headers: Record<string, string> = {}): Call {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(document),
  };
}

export async function openLease(
  server: TestServer,
  namespace = "default",
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await server.call("api/v1/leases", jsonCall({ namespace }, headers));
  if (answer.status !== 201) throw new Error(`no lease: ${answer.status} ${answer.body.toString()}`);
  return (answer.json as Lease).leaseId;
}

/** The last part of a problem's type. */
export function problemOf(answer: Answer): string {
  const { type } = answer.json as { type: string };
  return type.replace(/^.*[:#]/, "");
}
