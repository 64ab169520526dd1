import { onTestFinished } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import type { ServerConfig } from "../../src/config/server-config.ts";
import type { Storage } from "../../src/stores/store-driver.ts";
import { openStorage } from "../../src/stores/stores.ts";
import { storeContext } from "./store-context.ts";

/** The storage of a server with these settings, which is closed at the end of the test. */
export async function openedStorage(
  settings: Partial<ServerConfig> & Pick<ServerConfig, "store.kind">,
  env: Readonly<Record<string, string>> = {},
): Promise<Storage> {
  const declared = loadConfig({ args: ["--listen-host", "127.0.0.1"], env: {}, readFile: () => "" });
  const storage = await openStorage(settings["store.kind"], { ...declared, ...settings }, storeContext({ env }));
  onTestFinished(() => storage.close());
  return storage;
}
