import { parseCommandLine } from "@kindling/command-line";
import { closest, confType, KindlingError, parseProperties, PropertiesSyntaxError } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";
import type { ServerKey } from "../settings/server-key.ts";
import { missingSetting } from "../stores/stores.ts";
import { SERVER_KEYS } from "./keys/server-keys.ts";
import type { ServerConfig, ServerKeyName } from "./server-config.ts";
import { CONFIG_FLAG, CONFIG_VARIABLE, flagName, flagOf, variableOf } from "./spelling.ts";
import { USAGE } from "./usage.ts";

/** Where settings come from; the first that has a key counts. */
export interface ConfigSources {
  /** What follows the command: `--listen-port 10000`, `--listen-port=10000`. */
  readonly args: readonly string[];
  readonly env: Env;
  /** @throws KindlingError `FILE_UNREADABLE` */
  readonly readFile: (path: string) => string;
}

const NAMES = Object.keys(SERVER_KEYS) as ServerKeyName[];

/**
 * Reads the settings from flags, the environment, a properties file and defaults, in this order.
 *
 * Variables of the environment that are not settings are passed over, whatever they are called: Kubernetes sets some for
 * every Service of a namespace.
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `CONF_INVALID`, `CONF_CONFLICT`, `CONF_MISSING`, `FILE_UNREADABLE`
 */
export function loadConfig(sources: ConfigSources): ServerConfig {
  const line = parseCommandLine(USAGE, sources.args, USAGE.name);
  const path = line.value(CONFIG_FLAG) ?? sources.env[CONFIG_VARIABLE];
  const file = path === undefined ? {} : parseFile(path, sources.readFile(path));
  const read = (name: ServerKeyName): unknown => {
    const key: ServerKey<unknown> = SERVER_KEYS[name];
    const flag = line.value(flagName(name));
    if (flag !== undefined) return parseValue(key, flag, flagOf(name));
    const variable = sources.env[variableOf(name)];
    if (variable !== undefined) return parseValue(key, variable, variableOf(name));
    for (const inFile of [name, ...(key.alternatives ?? [])]) {
      const value = file[inFile];
      if (value !== undefined) return parseValue(key, value, `${inFile} in ${path}`);
    }
    return key.default === undefined ? undefined : parseValue(key, key.default, name);
  };
  const config = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as unknown as ServerConfig;
  checkTogether(config);
  return config;
}

function parseValue(key: ServerKey<unknown>, text: string, where: string): unknown {
  const value = key.type.parse(text);
  if (!confType.isMisfit(value)) return value;
  throw new KindlingError("CONF_INVALID", `${where}: expected ${value.expected}, got ${JSON.stringify(text)}`);
}

function parseFile(path: string, source: string): Readonly<Record<string, string>> {
  let settings: Record<string, string>;
  try {
    settings = parseProperties(source);
  } catch (error) {
    if (!(error instanceof PropertiesSyntaxError)) throw error;
    throw new KindlingError("FILE_UNPARSABLE", `${path}:${error.line}: ${error.message}`, { cause: error });
  }
  const known = new Set<string>(NAMES.flatMap((name) => [name, ...(SERVER_KEYS[name].alternatives ?? [])]));
  for (const key of Object.keys(settings)) {
    // The fork's file holds settings of its client and of Spark, which are nothing to this server.
    if (!known.has(key) && !key.startsWith("spark.")) throw unknownSetting(path, key, known);
  }
  return settings;
}

function unknownSetting(path: string, name: string, known: ReadonlySet<string>): KindlingError {
  const near = closest(name, known);
  return new KindlingError("ARGUMENT_INVALID", `there is no setting in ${path} called ${name}`, {
    hint: near === undefined ? `${USAGE.name} --help lists them all` : `did you mean ${near}?`,
  });
}

function checkTogether(config: ServerConfig): void {
  const missing = (key: ServerKeyName, why: string): KindlingError =>
    new KindlingError("CONF_MISSING", `${key} is not set, and ${why}`, { hint: `set it, or pass ${flagOf(key)}` });
  if ((config["tls.certFile"] === undefined) !== (config["tls.keyFile"] === undefined)) {
    const [set, unset] = config["tls.certFile"] === undefined ? (["key", "cert"] as const) : (["cert", "key"] as const);
    throw missing(`tls.${unset}File`, `tls.${set}File alone does not make TLS`);
  }
  const mode = config["auth.mode"];
  if (mode === undefined && !isLoopback(config["listen.host"])) {
    throw missing("auth.mode", `${config["listen.host"]} can be reached by others`);
  }
  if ((mode === "token" || mode === "mtls") && config["auth.accessFile"] === undefined) {
    throw missing("auth.accessFile", `auth.mode=${mode} needs to know who may do what`);
  }
  if (mode === "kubernetes" && config["auth.audiences"].length === 0) {
    throw missing("auth.audiences", "tokens of the API server's own audience would be worth more than an upload");
  }
  if (mode === "mtls" && (config["tls.certFile"] === undefined || config["tls.clientCaFile"] === undefined)) {
    throw missing("tls.clientCaFile", "auth.mode=mtls needs TLS and the authority of the client certificates");
  }
  const kind = config["store.kind"];
  const ofStore = missingSetting(kind, config);
  if (ofStore !== undefined) throw missing(ofStore, `store.kind is ${kind}`);
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
