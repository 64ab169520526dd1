import { KindlingError } from "@kindling/core-spec";
import type { ResolvedConfig } from "./localizer-config.ts";
import { absolutePath, ConfigFault, type Reader } from "./readers.ts";
import { CONFIG } from "./schema.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names the configuration's file. */
export const CONFIG_VARIABLE = "KINDLING_LOCALIZER_CONFIG";

interface Override {
  readonly variable: string;
  readonly key: "parallel" | "deadlineSeconds" | "stallSeconds";
}

/** Operational settings that the environment may set; they win over the configuration. */
export const OVERRIDES: readonly Override[] = [
  { variable: "KINDLING_LOCALIZER_PARALLEL", key: "parallel" },
  { variable: "KINDLING_LOCALIZER_DEADLINE_SECONDS", key: "deadlineSeconds" },
  { variable: "KINDLING_LOCALIZER_STALL_SECONDS", key: "stallSeconds" },
];

export const TERMINATION_LOG_VARIABLE = "TERMINATION_LOG";

/**
 * Addresses of WebHDFS services besides those of the configuration, as `AUTHORITY=URI`, separated by commas. The cluster
 * has the HDFS, and a submission may not know it.
 */
export const WEBHDFS_VARIABLE = "KINDLING_LOCALIZER_WEBHDFS";

/** Hosts of its data nodes, instead of those of the configuration, separated by commas. */
export const DATA_NODES_VARIABLE = "KINDLING_LOCALIZER_DATA_NODES";

/** @throws KindlingError `CONF_INVALID` that names the variable */
export function withEnvironment(config: ResolvedConfig, env: Environment): ResolvedConfig {
  const given = OVERRIDES.flatMap(({ variable, key }) => {
    const text = env[variable];
    return text === undefined || text === "" ? [] : [[key, read(CONFIG[key].value, variable, toNumber(text))]];
  });
  const log = env[TERMINATION_LOG_VARIABLE];
  const dataNodes = listOf(env[DATA_NODES_VARIABLE] ?? "");
  return {
    ...config,
    webhdfs: new Map([...webhdfsServices(env[WEBHDFS_VARIABLE] ?? ""), ...config.webhdfs]),
    ...Object.fromEntries(given),
    ...(dataNodes.length > 0 && { dataNodeHosts: read(CONFIG.dataNodeHosts.value, DATA_NODES_VARIABLE, dataNodes) }),
    ...(log !== undefined && log !== "" && { terminationLog: read(absolutePath, TERMINATION_LOG_VARIABLE, log) }),
  };
}

/** With high availability, an authority is there once for each of its name nodes. */
function webhdfsServices(text: string): ReadonlyMap<string, readonly string[]> {
  const services: Record<string, string[]> = {};
  for (const pair of listOf(text)) {
    const [, authority = "", uri = ""] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    (services[authority] ??= []).push(uri);
  }
  return read(CONFIG.webhdfs.value, WEBHDFS_VARIABLE, services);
}

function listOf(text: string): readonly string[] {
  return text.split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
}

function read<T>(reader: Reader<T>, variable: string, value: unknown): T {
  try {
    return reader.read(value, variable);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    throw new KindlingError("CONF_INVALID", `the environment's ${variable} ${error.message}`);
  }
}

function toNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
