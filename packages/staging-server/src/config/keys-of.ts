import type { Setting } from "@kindling/service/settings";
import type { ServerConfig, ServerKeyName } from "./server-config.ts";

/** The settings whose names begin alike: those of `KeysOf<"tls">` are `tls.certFile` and so on. */
export type KeysOf<Group extends string> = {
  readonly [K in Extract<ServerKeyName, `${Group}.${string}`>]: Setting<ServerConfig[K]>;
};
