import type { Settings } from "@kindling/service/settings";
import type { ServerConfig } from "../server-config.ts";
import { AUTH_KEYS } from "./auth-keys.ts";
import { LIFECYCLE_KEYS } from "./lifecycle-keys.ts";
import { LIMIT_KEYS } from "./limit-keys.ts";
import { LISTEN_KEYS } from "./listen-keys.ts";
import { STORE_KEYS } from "./store-keys.ts";

/** The declared schema: files, flags, environment, defaults and the reference are all read from here, in this order. */
export const SERVER_KEYS: Settings<ServerConfig> = {
  ...LISTEN_KEYS,
  ...AUTH_KEYS,
  ...STORE_KEYS,
  ...LIMIT_KEYS,
  ...LIFECYCLE_KEYS,
};
