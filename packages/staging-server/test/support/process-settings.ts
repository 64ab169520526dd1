import type { ServerConfig } from "../../src/config/server-config.ts";

/** Settings of servers in processes of their own: free ports on this machine, and no cluster. */
export const PROCESS_SETTINGS: Partial<ServerConfig> = {
  "listen.port": 0,
  "admin.port": 0,
  "admin.host": "127.0.0.1",
  "store.minFree": 0,
  "lifecycle.owners": "none",
};
