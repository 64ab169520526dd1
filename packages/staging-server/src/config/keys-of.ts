import type { ServerKey } from "../settings/server-key.ts";
import type { ServerConfig, ServerKeyName } from "./server-config.ts";

/** The settings whose names begin alike: those of `KeysOf<"tls">` are `tls.certFile` and so on. */
export type KeysOf<Group extends string> = {
  readonly [K in Extract<ServerKeyName, `${Group}.${string}`>]: ServerKey<ServerConfig[K]>;
};
