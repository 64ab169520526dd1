import type { ServerKeyName } from "./server-config.ts";

/** `listen.port` as a flag, without its dashes: `listen-port`. */
export function flagName(key: ServerKeyName): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(".", "-");
}

/** `listen.port` as a flag: `--listen-port`. */
export function flagOf(key: ServerKeyName): string {
  return `--${flagName(key)}`;
}

/** `listen.port` in the environment: `KINDLING_STAGING_LISTEN_PORT`. */
export function variableOf(key: ServerKeyName): string {
  return `KINDLING_STAGING_${flagName(key).replaceAll("-", "_").toUpperCase()}`;
}

export const CONFIG_FLAG = "config";
export const CONFIG_VARIABLE = "KINDLING_STAGING_CONFIG";
