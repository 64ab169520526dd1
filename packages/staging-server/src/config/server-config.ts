import type { AuthConfig } from "./keys/auth-keys.ts";
import type { LifecycleConfig } from "./keys/lifecycle-keys.ts";
import type { LimitConfig } from "./keys/limit-keys.ts";
import type { ListenConfig } from "./keys/listen-keys.ts";
import type { StoreConfig } from "./keys/store-keys.ts";

/** All settings of a server, read and checked. Sizes are bytes, durations seconds. */
export interface ServerConfig extends ListenConfig, AuthConfig, StoreConfig, LimitConfig, LifecycleConfig {}

export type ServerKeyName = keyof ServerConfig;
