import { KindlingError, type SparkConf } from "@kindling/core-spec";
import {
  ADDRESS,
  AUDIENCE,
  AUTH_PATH,
  CA_SECRET,
  IMAGE,
  MODE,
  NAMESPACE,
  REFRESH,
  ROLE,
  SECRET,
  TEMPLATE,
} from "./keys.ts";

/** A file for driver and executors. */
export interface SecretFile {
  readonly name: string;
  /** The path of the secret in Vault. */
  readonly path: string;
  readonly template: string | undefined;
}

/** What an application needs from Vault. */
export interface Wishes {
  readonly role: string;
  readonly files: readonly SecretFile[];
  /** Default: the injector's own settings. */
  readonly authPath: string | undefined;
  readonly address: string | undefined;
  readonly namespace: string | undefined;
  readonly audience: string;
  readonly caSecret: string | undefined;
  /** The pods' own agent; undefined if the injector is used. */
  readonly agent:
    | { readonly address: string; readonly authPath: string; readonly image: string; readonly refresh: boolean }
    | undefined;
}

/**
 * Undefined if no role is named.
 *
 * @throws KindlingError `CONF_MISSING`, `CONF_INVALID` or `CONF_CONFLICT` with the key
 */
export function wishesIn(conf: SparkConf): Wishes | undefined {
  const role = conf.get(ROLE);
  if (role === undefined) return undefined;
  const address = conf.get(ADDRESS);
  return {
    role,
    files: filesIn(conf),
    authPath: conf.has(AUTH_PATH) ? conf.get(AUTH_PATH) : undefined,
    address,
    namespace: conf.get(NAMESPACE),
    audience: conf.get(AUDIENCE),
    caSecret: conf.get(CA_SECRET),
    agent: agentIn(conf, address),
  };
}

function agentIn(conf: SparkConf, address: string | undefined): Wishes["agent"] {
  if (conf.get(MODE) === "injector") {
    if (!conf.get(REFRESH)) return undefined;
    throw new KindlingError("CONF_CONFLICT", `${REFRESH.key} cannot be set with ${MODE.key}=injector`, {
      hint: `the injector's sidecar would keep the driver's pod from ending; set ${MODE.key}=agent`,
    });
  }
  if (address === undefined) {
    throw new KindlingError("CONF_MISSING", `${ADDRESS.key} is not set, and ${MODE.key}=agent needs it`, {
      hint: "set it to Vault's URI as pods reach it",
    });
  }
  return { address, authPath: conf.get(AUTH_PATH), image: conf.get(IMAGE), refresh: conf.get(REFRESH) };
}

function filesIn(conf: SparkConf): SecretFile[] {
  const templates = conf.withPrefix(TEMPLATE);
  const paths = conf.withPrefix(SECRET);
  const alone = Object.keys(templates).find((name) => paths[name] === undefined);
  if (alone !== undefined) {
    throw new KindlingError("CONF_MISSING", `${TEMPLATE.prefix}${alone} has no ${SECRET.prefix}${alone}`, {
      hint: `name the path of the secret in ${SECRET.prefix}${alone}`,
    });
  }
  if (Object.keys(paths).length === 0) {
    throw new KindlingError("CONF_MISSING", `${ROLE.key} is set, and no secret is named`, {
      hint: `--conf ${SECRET.prefix}db=secret/data/db makes the file /vault/secrets/db`,
    });
  }
  return Object.entries(paths).map(([name, path]) => {
    // The injector changes names to lower case, and a name is part of a path or a template.
    if (!/^[a-z0-9][-a-z0-9_.]{0,62}$/.test(name))
      throw unfit(name, `${JSON.stringify(name)} is no name of a file in small letters`);
    if (!/^[-\w.]+(\/[-\w.]+)+$/.test(path))
      throw unfit(name, `${JSON.stringify(path)} is not a path such as secret/data/db`);
    return { name, path, template: templates[name] };
  });
}

function unfit(name: string, problem: string): KindlingError {
  return new KindlingError("CONF_INVALID", `${SECRET.prefix}${name}: ${problem}`);
}
