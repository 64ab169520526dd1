/** `listen.port` as a flag, without its dashes: `listen-port`. */
export function flagName(setting: string): string {
  return setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll(".", "-");
}

/** `listen.port` as a flag: `--listen-port`. */
export function flagOf(setting: string): string {
  return `--${flagName(setting)}`;
}

/** `listen.port` in the environment: `KINDLING_GATEWAY_LISTEN_PORT`. */
export function variableOf(prefix: string, setting: string): string {
  return `${prefix}_${flagName(setting).replaceAll("-", "_").toUpperCase()}`;
}

/** The name of the flag for the file of settings, and the end of the variable's name. */
export const CONFIG = "config";
