import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";

/** The folder with event logs of this container, and how the recorder is reached. */
export interface RecorderAccessSettings {
  readonly folder: string;
  /** The recorder. */
  readonly uri: URL;
  /** A token of the pod for the recorder; the kubelet renews it. */
  readonly tokenFile: string;
  /** Certificates in PEM that the recorder's is signed by, beside those that everybody trusts. */
  readonly authorities: readonly string[];
}

/** What a shipper is told, by its environment. */
export interface ShipperSettings extends RecorderAccessSettings {
  /** The port that the driver listens at as long as it works. */
  readonly driverPort: number;
}

const DRIVER_PORT = 7078;

/** @throws KindlingError `CONF_MISSING`, `CONF_INVALID` */
export function readSettings(env: Env): ShipperSettings {
  const port = env["KINDLING_EVENT_LOG_DRIVER_PORT"];
  const driverPort = port !== undefined && /^\d{1,5}$/.test(port) ? Number(port) : DRIVER_PORT;
  return { ...readRecorderAccess(env), driverPort };
}

/** @throws KindlingError `CONF_MISSING`, `CONF_INVALID` */
export function readRecorderAccess(env: Env): RecorderAccessSettings {
  const uri = needed(env, "KINDLING_EVENT_LOG_URI");
  if (!URL.canParse(uri)) throw new KindlingError("CONF_INVALID", `KINDLING_EVENT_LOG_URI: ${uri} is no URI`);
  return {
    folder: needed(env, "KINDLING_EVENT_LOG_FOLDER"),
    uri: new URL(uri.endsWith("/") ? uri : `${uri}/`),
    tokenFile: needed(env, "KINDLING_EVENT_LOG_TOKEN_FILE"),
    authorities: authoritiesIn(env["KINDLING_EVENT_LOG_CA_FILE"]),
  };
}

function needed(env: Env, name: string): string {
  const value = env[name];
  if (value !== undefined && value !== "") return value;
  throw new KindlingError("CONF_MISSING", `${name} is not set`, {
    hint: "spark.kindling.eventLog=record makes the container with all that it needs",
  });
}

/** The file may be missing: then the recorder's certificate is signed by an authority that everybody trusts. */
function authoritiesIn(path: string | undefined): readonly string[] {
  if (path === undefined) return rootCertificates;
  try {
    return [...rootCertificates, readFileSync(path, "utf8")];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return rootCertificates;
    throw new KindlingError("CONF_INVALID", `KINDLING_EVENT_LOG_CA_FILE: ${messageOf(error)}`, { cause: error });
  }
}
