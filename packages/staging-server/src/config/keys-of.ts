import type { Setting } from "@kindling/service/settings";
import type { ServerConfig, ServerKeyName } from "./server-config.ts";

/** The settings whose names have the same beginning: `KeysOf<"tls">` has `tls.certFile` and so on. */
export type KeysOf<Group extends string> = {
  readonly [K in Extract<ServerKeyName, `${Group}.${string}`>]: Setting<ServerConfig[K]>;
};
