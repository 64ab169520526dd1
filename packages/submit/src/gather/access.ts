import { KindlingError, quotedName, type ConfigurationRequest, type SparkConf, type Step } from "@kindling/core-spec";
import { isUriText, noUriCharacter, schemeOf } from "@kindling/steps";
import { STEPS } from "../keys/steps-key.ts";
import { PACKAGES } from "../keys/packages-keys.ts";
import { resolvesHere } from "./packages/who-resolves.ts";

/** Keys (and their older names) with values that name files or folders of the machine that submits. */
export const LOCAL_FILE_KEYS: readonly string[] = [
  "spark.kubernetes.driver.podTemplateFile",
  "spark.kubernetes.executor.podTemplateFile",
  "spark.kubernetes.scheduler.volcano.podGroupTemplateFile",
  "spark.kubernetes.kerberos.krb5.path",
  "spark.yarn.keytab",
  "spark.kerberos.keytab",
  "spark.kubernetes.authenticate.driver.caCertFile",
  "spark.kubernetes.authenticate.driver.clientCertFile",
  "spark.kubernetes.authenticate.driver.clientKeyFile",
  "spark.kubernetes.authenticate.submission.caCertFile",
  "spark.kubernetes.authenticate.submission.clientCertFile",
  "spark.kubernetes.authenticate.submission.clientKeyFile",
  "spark.kubernetes.authenticate.submission.oauthTokenFile",
  "spark.kindling.staging.caFile",
  "spark.kindling.staging.tokenFile",
  "spark.kindling.staging.clientCertFile",
  "spark.kindling.staging.clientKeyFile",
  "spark.kindling.scheduler.caFile",
  // The folder `conf` in it goes into the driver's ConfigMap.
  "spark.home",
];

/** Keys with lists of URIs. URIs without a scheme, and `file:` URIs, are on this machine. */
export const URI_LIST_KEYS: readonly string[] = ["spark.jars", "spark.files", "spark.archives", "spark.submit.pyFiles"];

/**
 * Refuses a request that would read this machine for somebody who may not read it. Contributed steps that the caller passes
 * as values still run; modules that a configuration names do not.
 *
 * @param conf the whole configuration, without the environment
 * @throws KindlingError `ACCESS_DENIED` that names the key, or the member of the request
 */
export function refuseAccess(request: ConfigurationRequest, conf: SparkConf): void {
  const [extra] = request.extraPropertiesFiles ?? [];
  if (extra !== undefined) throw denied("extraPropertiesFiles", extra);
  if (request.propertiesFile !== undefined) throw denied("propertiesFile", request.propertiesFile);
  if (request.loadSparkDefaults === true) throw denied("loadSparkDefaults", "spark-defaults.conf");
  const resource = request.application?.resource;
  if (resource !== undefined && resource !== "spark-internal") refusePath("application.resource", resource);
  for (const key of LOCAL_FILE_KEYS) {
    const value = conf.raw(key);
    const isInImage = key.endsWith(".keytab") && value?.startsWith("local:") === true && !value.includes("${");
    if (value !== undefined && !isInImage) throw denied(key, value);
  }
  for (const key of URI_LIST_KEYS) {
    // A reference may stand for several URIs.
    if (conf.raw(key)?.includes("${") === true) throw denied(key, conf.raw(key) ?? "");
    for (const uri of (conf.raw(key) ?? "").split(",")) {
      if (uri.trim() !== "") refusePath(key, uri.trim());
    }
  }
  if (conf.raw(STEPS.key)?.trim()) throw denied(STEPS.key, conf.raw(STEPS.key) ?? "", "pass the steps as values");
  if ((conf.get(PACKAGES) ?? []).length > 0 && resolvesHere(conf)) {
    throw denied(PACKAGES.key, conf.raw(PACKAGES.key) ?? "", "set spark.kindling.packages.resolve=driver");
  }
}

/** Refuses files that steps say they will read. */
export function refuseFilesOf(steps: readonly Step[], conf: SparkConf): void {
  for (const step of steps) {
    const [path] = step.localFiles?.(conf, {}) ?? [];
    if (path !== undefined) throw denied(`step ${step.name}`, path);
  }
}

/**
 * Refuses paths on this machine. A text that begins as a URI but is none would also be taken for a path, but it is a mistake.
 */
function refusePath(what: string, uri: string): void {
  const scheme = schemeOf(uri);
  if (scheme === undefined || scheme === "file") throw denied(what, uri);
  if (isUriText(uri)) return;
  // One `#` may begin a fragment.
  const wrong = noUriCharacter(uri) ?? "#";
  throw new KindlingError("ACCESS_DENIED", `${what}: ${quotedName(uri)} is no URI: it has ${named(wrong)}`, {
    hint: `${/[{<]/.test(wrong) ? "put a value where the placeholder is; otherwise, " : ""}in a URI, write it as ${escaped(wrong)}`,
  });
}

function named(character: string): string {
  if (character === " ") return "a blank";
  if (character === "%") return "a % without two hexadecimal digits behind it";
  if (/[\p{C}\p{Z}]/u.test(character)) return `the character ${codePoint(character)}`;
  return `the character ${character}`;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function escaped(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}

function denied(
  what: string,
  value: string,
  hint = "name what driver and executors can reach themselves",
): KindlingError {
  return new KindlingError(
    "ACCESS_DENIED",
    `${what}: ${value} is on this machine, whose files may not be read for this submission`,
    {
      hint,
    },
  );
}
