import type { GatewayKeyName } from "./gateway-config.ts";

/** `listen.port` as a flag, without its dashes: `listen-port`. */
export function flagName(key: GatewayKeyName): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(".", "-");
}

/** `listen.port` as a flag: `--listen-port`. */
export function flagOf(key: GatewayKeyName): string {
  return `--${flagName(key)}`;
}

/** `listen.port` in the environment: `KINDLING_GATEWAY_LISTEN_PORT`. */
export function variableOf(key: GatewayKeyName): string {
  return `KINDLING_GATEWAY_${flagName(key).replaceAll("-", "_").toUpperCase()}`;
}

export const CONFIG_FLAG = "config";
export const CONFIG_VARIABLE = "KINDLING_GATEWAY_CONFIG";
