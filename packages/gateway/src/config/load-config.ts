import { parseCommandLine } from "@kindling/command-line";
import { closest, confType, KindlingError, parseProperties, PropertiesSyntaxError } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";
import type { GatewayConfig, GatewayKeyName } from "./gateway-config.ts";
import type { GatewayKey } from "./gateway-key.ts";
import { GATEWAY_KEYS } from "./gateway-keys.ts";
import { CONFIG_FLAG, CONFIG_VARIABLE, flagName, flagOf, variableOf } from "./spelling.ts";
import { USAGE } from "./usage.ts";

/** Where settings come from; the first that has a key counts. */
export interface ConfigSources {
  /** What follows the command: `--listen-port 8443`, `--listen-port=8443`. */
  readonly args: readonly string[];
  readonly env: Env;
  /** @throws KindlingError `FILE_UNREADABLE` */
  readonly readFile: (path: string) => string;
}

const NAMES = Object.keys(GATEWAY_KEYS) as GatewayKeyName[];

/**
 * Reads the settings from flags, the environment, a properties file and defaults, in this order. Other variables of the
 * environment are passed over, whatever they are called: Kubernetes sets some for every Service of a namespace.
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `CONF_INVALID`, `CONF_MISSING`, `FILE_UNPARSABLE`, `FILE_UNREADABLE`
 */
export function loadConfig(sources: ConfigSources): GatewayConfig {
  const line = parseCommandLine(USAGE, sources.args, USAGE.name);
  const path = line.value(CONFIG_FLAG) ?? sources.env[CONFIG_VARIABLE];
  const file = path === undefined ? {} : parseFile(path, sources.readFile(path));
  const read = (name: GatewayKeyName): unknown => {
    const key: GatewayKey<unknown> = GATEWAY_KEYS[name];
    const flag = line.value(flagName(name));
    if (flag !== undefined) return parseValue(key, flag, flagOf(name));
    const variable = sources.env[variableOf(name)];
    if (variable !== undefined) return parseValue(key, variable, variableOf(name));
    const value = file[name];
    if (value !== undefined) return parseValue(key, value, `${name} in ${path}`);
    return key.default === undefined ? undefined : parseValue(key, key.default, name);
  };
  const config = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as unknown as GatewayConfig;
  checkTls(config);
  return config;
}

function parseValue(key: GatewayKey<unknown>, value: string, where: string): unknown {
  const parsed = key.type.parse(value);
  if (!confType.isMisfit(parsed)) return parsed;
  throw new KindlingError("CONF_INVALID", `${where}: expected ${parsed.expected}, got ${JSON.stringify(value)}`);
}

function parseFile(path: string, source: string): Readonly<Record<string, string>> {
  let settings: Record<string, string>;
  try {
    settings = parseProperties(source);
  } catch (error) {
    if (!(error instanceof PropertiesSyntaxError)) throw error;
    throw new KindlingError("FILE_UNPARSABLE", `${path}:${error.line}: ${error.message}`, { cause: error });
  }
  for (const key of Object.keys(settings)) {
    if (Object.hasOwn(GATEWAY_KEYS, key)) continue;
    const near = closest(key, NAMES);
    throw new KindlingError("ARGUMENT_INVALID", `there is no setting in ${path} called ${key}`, {
      hint: near === undefined ? `${USAGE.name} --help lists them all` : `did you mean ${near}?`,
    });
  }
  return settings;
}

/** Drivers send tokens: there is no way to leave out TLS by mistake. */
function checkTls(config: GatewayConfig): void {
  if (config["tls.plainHttp"]) return;
  for (const key of ["tls.certFile", "tls.keyFile"] as const) {
    if (config[key] !== undefined) continue;
    throw new KindlingError("CONF_MISSING", `${key} is not set, and drivers are served over TLS alone`, {
      hint: `set it, or pass ${flagOf(key)}`,
    });
  }
}
