import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import { baseName } from "@kindling/steps";
import { FLAGS } from "../args/flag-table.ts";
import type { SubmitArguments } from "../args/parse-arguments.ts";
import { fileStatus } from "../files/file-status.ts";
import { readPropertiesFile } from "./properties-file.ts";
import { expandGlobs, resolveUri, resolveUris } from "./resolve-uri.ts";
import { sparkConfDir, systemProperties, type Env } from "./spark-env.ts";

/** Everything that says what to run and how, merged from all sources by precedence. */
export interface MergedConf {
  readonly entries: Readonly<Record<string, string>>;
  readonly master: string | undefined;
  readonly deployMode: string | undefined;
  readonly remote: string | undefined;
  /** The application, resolved to a URI. */
  readonly primaryResource: string | undefined;
  readonly mainClass: string | undefined;
  readonly proxyUser: string | undefined;
}

/**
 * Merges flags, `--conf`, properties file, spark-defaults.conf, environment and system properties, the former winning
 * over the latter (SparkSubmitArguments, 3.5.6 and 4.1.1). A list given by a flag replaces the key's.
 */
export function mergeConf(args: SubmitArguments, env: Env, cwd: string, notice: (message: string) => void): MergedConf {
  const properties = sparkProperties(args, env, cwd, notice);
  const entries: Record<string, string> = { ...systemProperties(env), ...properties };
  for (const { name, effect } of FLAGS) {
    if (effect.kind === "conf") {
      const value =
        args.values.get(name) ??
        properties[effect.key] ??
        legacyValue(effect.key, properties) ??
        fromEnv(env, effect.env);
      if (value !== undefined) entries[effect.key] = value;
    } else if (effect.kind === "uris") {
      const given = args.values.get(name);
      const value = given === undefined ? properties[effect.key] : resolveUris(given, cwd);
      if (value !== undefined)
        entries[effect.key] = expandGlobs(value, given === undefined ? effect.key : name, cwd, notice);
    }
  }

  const primaryResource = args.primaryResource === undefined ? undefined : resolvePrimary(args.primaryResource, cwd);
  const mainClass = args.values.get("--class");
  // A name among the JVM's own properties is none that SparkSubmit looks for.
  entries["spark.app.name"] =
    args.values.get("--name") ??
    properties["spark.app.name"] ??
    mainClass ??
    (primaryResource === undefined ? "spark" : baseName(primaryResource));
  return {
    entries,
    master: entries["spark.master"],
    deployMode: entries["spark.submit.deployMode"],
    remote: entries["spark.remote"],
    primaryResource,
    mainClass,
    proxyUser: args.values.get("--proxy-user"),
  };
}

/** Shells and `spark-internal` are names, not files. */
function resolvePrimary(resource: string, cwd: string): string {
  return isShell(resource) || resource === "spark-internal" ? resource : resolveUri(resource, cwd);
}

export function isShell(resource: string): boolean {
  return ["spark-shell", "pyspark-shell", "sparkr-shell", "connect-shell"].includes(resource);
}

function fromEnv(env: Env, name: string | undefined): string | undefined {
  return name === undefined ? undefined : env[name];
}

/** Keys that went under YARN's name once. */
function legacyValue(key: string, properties: Readonly<Record<string, string>>): string | undefined {
  return key === "spark.kerberos.principal" || key === "spark.kerberos.keytab"
    ? properties[key.replace("spark.kerberos.", "spark.yarn.")]
    : undefined;
}

function sparkProperties(
  args: SubmitArguments,
  env: Env,
  cwd: string,
  notice: (message: string) => void,
): Record<string, string> {
  const file = args.values.get("--properties-file");
  const sources: Readonly<Record<string, string>>[] = [args.conf];
  for (const extra of args.extraPropertiesFiles.toReversed()) {
    sources.push(readPropertiesFile(absolute(cwd, extra), "--extra-properties-file"));
  }
  if (file !== undefined) sources.push(readPropertiesFile(absolute(cwd, file), "--properties-file"));
  if (file === undefined || args.switches.has("--load-spark-defaults")) sources.push(defaults(env));

  const merged: Record<string, string> = {};
  for (const source of sources) {
    for (const [key, value] of Object.entries(source)) {
      if (key.startsWith("spark.")) {
        if (!Object.hasOwn(merged, key)) merged[key] = value;
      } else {
        notice(`${key} is ignored, because it does not begin with 'spark.'`);
      }
    }
  }
  return merged;
}

function absolute(cwd: string, path: string): string {
  return path.startsWith("/") ? path : join(cwd, path);
}

function defaults(env: Env): Record<string, string> {
  const directory = sparkConfDir(env);
  if (directory === undefined) return {};
  const path = join(directory, "spark-defaults.conf");
  return fileStatus(path)?.isFile() === true ? readPropertiesFile(path, "spark-defaults.conf") : {};
}

/**
 * Refuses combinations that no cluster manager could run (SparkSubmitArguments.validateSubmitArguments).
 */
export function validateConf({ entries, primaryResource, proxyUser }: MergedConf): void {
  if (primaryResource === undefined) {
    throw new KindlingError("ARGUMENT_INVALID", "must specify a primary resource (JAR or Python or R file)", {
      hint: "name it behind the flags; see kindling submit --help",
    });
  }
  const positive = (key: string, isPositive: (text: string) => boolean, what: string): void => {
    const text = entries[key];
    if (text !== undefined && !isPositive(text)) {
      throw new KindlingError("CONF_INVALID", `${key}: "${text}" is not ${what}`);
    }
  };
  const size = (text: string): boolean => /^0*[1-9]\d*\s*(b|kb?|mb?|gb?|tb?|pb?)?$/i.test(text.trim());
  const count = (text: string): boolean => /^\+?0*[1-9]\d{0,9}$/.test(text);
  positive("spark.driver.memory", size, "a positive size such as 2g");
  positive("spark.executor.memory", size, "a positive size such as 2g");
  positive("spark.driver.cores", count, "a positive whole number");
  positive("spark.executor.cores", count, "a positive whole number");
  positive("spark.cores.max", count, "a positive whole number");
  if (entries["spark.dynamicAllocation.enabled"]?.toLowerCase() !== "true") {
    positive("spark.executor.instances", count, "a positive number of executors");
  }
  if (proxyUser !== undefined && entries["spark.kerberos.principal"] !== undefined) {
    throw new KindlingError("ARGUMENT_INVALID", "only one of --proxy-user and --principal can be given");
  }
}
