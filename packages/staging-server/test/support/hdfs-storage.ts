import { onTestFinished } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import type { ServerConfig } from "../../src/config/server-config.ts";
import type { Storage } from "../../src/stores/store-driver.ts";
import { openStorage } from "../../src/stores/stores.ts";
import { storeContext } from "./store-context.ts";

export function hdfsSettings(
  endpoints: readonly string[],
  settings: Partial<ServerConfig> = {},
): Partial<ServerConfig> {
  return {
    "store.kind": "webhdfs",
    "store.webhdfs.endpoints": endpoints,
    "store.webhdfs.path": "/some/where",
    "store.webhdfs.user": "staging",
    "store.webhdfs.segmentSize": 4 * 1024 * 1024,
    ...settings,
  };
}

export async function hdfsStorage(
  endpoints: readonly string[],
  settings: Partial<ServerConfig> = {},
): Promise<Storage> {
  const declared = loadConfig({ args: ["--listen-host", "127.0.0.1"], env: {}, readFile: () => "" });
  const config = { ...declared, ...hdfsSettings(endpoints, settings) };
  const storage = await openStorage("webhdfs", config, storeContext());
  onTestFinished(() => storage.close());
  return storage;
}
