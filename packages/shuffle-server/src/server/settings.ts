import { readFileSync } from "node:fs";
import { KindlingError, quotedName } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";

/** What the environment says. */
export interface Settings {
  /** Absolute, without a slash at the end. */
  readonly localDirs: readonly string[];
  readonly port: number;
  /** Every other application is refused; undefined admits all. */
  readonly application: string | undefined;
  /** If there is one, clients must prove that they know it (`spark.authenticate`). */
  readonly secret: string | undefined;
  /** If there is one, connections begin with TLS (`spark.ssl.rpc.enabled`). Both are in PEM. */
  readonly tls: { readonly certificate: string; readonly key: string } | undefined;
  readonly labelsFile: string | undefined;
  /** Where the kubelet asks whether the executor may go on; undefined if it does not ask. */
  readonly statusPort: number | undefined;
  /** Whether blocks of RDDs are fetched from here (`spark.shuffle.service.fetch.rdd.enabled`). */
  readonly servesRdds: boolean;
}

/** Spark's own port of the external shuffle service. */
export const DEFAULT_PORT = 7337;

/** The variables that set the server. */
export const VARIABLES = {
  localDirs: "KINDLING_SHUFFLE_LOCAL_DIRS",
  port: "KINDLING_SHUFFLE_PORT",
  application: "KINDLING_SHUFFLE_APPLICATION",
  secretFile: "KINDLING_SHUFFLE_SECRET_FILE",
  /** Spark's own: executors get the secret in it. */
  secret: "_SPARK_AUTH_SECRET",
  tlsCertificateFile: "KINDLING_SHUFFLE_TLS_CERT_FILE",
  tlsKeyFile: "KINDLING_SHUFFLE_TLS_KEY_FILE",
  labelsFile: "KINDLING_SHUFFLE_LABELS_FILE",
  statusPort: "KINDLING_SHUFFLE_STATUS_PORT",
  servesRdds: "KINDLING_SHUFFLE_RDD_BLOCKS",
} as const;

/** @throws KindlingError `CONF_INVALID` that names the variable */
export function readSettings(env: Env): Settings {
  return {
    localDirs: localDirs(env[VARIABLES.localDirs]),
    port: readPort(env),
    application: given(env[VARIABLES.application]),
    secret: secret(env),
    tls: tls(env),
    labelsFile: absolute(VARIABLES.labelsFile, given(env[VARIABLES.labelsFile])),
    statusPort: portIn(env, VARIABLES.statusPort),
    servesRdds: isTrue(env[VARIABLES.servesRdds]),
  };
}

/** @throws KindlingError `CONF_INVALID` */
export function readPort(env: Env): number {
  return portIn(env, VARIABLES.port) ?? DEFAULT_PORT;
}

function portIn(env: Env, variable: string): number | undefined {
  const text = given(env[variable]);
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw invalid(variable, `must be a port from 1 to 65535, not ${quotedName(text)}`);
  return port;
}

function localDirs(text: string | undefined): readonly string[] {
  const paths = (text ?? "")
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
  if (paths.length === 0) {
    throw invalid(VARIABLES.localDirs, "must name the executor's local directories, separated by commas");
  }
  for (const path of paths) {
    if (/^\/[^\0]*[^/\0]/.test(path) && !path.split("/").includes("..")) continue;
    throw invalid(VARIABLES.localDirs, `must have absolute paths below / without .., not ${quotedName(path)}`);
  }
  return paths.map((path) => path.replace(/\/+$/, "").replaceAll(/\/+(\.?\/+)*/g, "/"));
}

/** A file has the bytes that Spark's `spark.authenticate.secret.file` has: the secret is their Base64. */
function secret(env: Env): string | undefined {
  return contentOf(env, "secretFile")?.toString("base64") ?? given(env[VARIABLES.secret]);
}

function tls(env: Env): Settings["tls"] {
  const certificate = contentOf(env, "tlsCertificateFile")?.toString("utf8");
  const key = contentOf(env, "tlsKeyFile")?.toString("utf8");
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined) throw invalid(VARIABLES.tlsCertificateFile, `is needed with ${VARIABLES.tlsKeyFile}`);
  if (key === undefined) throw invalid(VARIABLES.tlsKeyFile, `is needed with ${VARIABLES.tlsCertificateFile}`);
  return { certificate, key };
}

function contentOf(env: Env, name: "secretFile" | "tlsCertificateFile" | "tlsKeyFile"): Buffer | undefined {
  const variable = VARIABLES[name];
  const path = absolute(variable, given(env[variable]));
  if (path === undefined) return undefined;
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw invalid(variable, `names ${quotedName(path)}, which cannot be read (${code})`);
  }
  if (bytes.length === 0) throw invalid(variable, `names ${quotedName(path)}, which is empty`);
  return bytes;
}

function absolute(variable: string, path: string | undefined): string | undefined {
  if (path === undefined || path.startsWith("/")) return path;
  throw invalid(variable, `must be an absolute path, not ${quotedName(path)}`);
}

function isTrue(text: string | undefined): boolean {
  const value = given(text);
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw invalid(VARIABLES.servesRdds, `must be true or false, not ${quotedName(value)}`);
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}

function invalid(variable: string, message: string): KindlingError {
  return new KindlingError("CONF_INVALID", `the environment's ${variable} ${message}`);
}
