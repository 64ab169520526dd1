import { onTestFinished } from "vitest";
import { connectStaging, type StagedResourcesOwner, type StagingClient } from "../../src/index.ts";
import type { MemoryServer } from "./memory-server.ts";

export const OWNER: StagedResourcesOwner = { ownerNamespace: "default", ownerLabels: { app: "x" }, ownerType: "Pod" };

/** A client with almost no wait before a retry. */
export function clientOf({ uri }: MemoryServer): StagingClient {
  const client = connectStaging({ uri, retry: { attempts: 4, baseMs: 2, capMs: 10 } });
  onTestFinished(() => client.close());
  return client;
}

/** How many requests match the pattern. */
export function count(server: MemoryServer, pattern: RegExp): number {
  return server.lines.filter((line) => pattern.test(line)).length;
}
