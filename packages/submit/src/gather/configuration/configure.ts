import { sparkConf, type ConfigurationRequest } from "@kindling/core-spec";
import type { Env, Outside } from "@kindling/outside";
import {
  baseName,
  DRIVER_POD_TEMPLATE_FILE,
  EXECUTOR_POD_TEMPLATE_FILE,
  NAMESPACE,
  NO_RESOURCE,
} from "@kindling/steps";
import { SPARK_VERSION } from "../../keys/spark-version-key.ts";
import { Notices } from "../../notices.ts";
import type { Access } from "../../access.ts";
import { refuseAccess } from "../access.ts";
import { environmentEntries } from "./environment-entries.ts";
import { propertiesFiles } from "./properties-files.ts";
import { expandGlobs, resolveUri, resolveUris } from "./resolve-uri.ts";
import { typographicQuoteIn } from "./typographic.ts";
import { jvmDefinitions, sparkDefinitions, withSparkEnv } from "./spark-env.ts";

/** Everything that says what to run and how, merged from all sources by precedence. Plain data. */
export interface Configuration {
  readonly entries: Readonly<Record<string, string>>;
  /** The environment after Spark's start script. */
  readonly env: Env;
  /** The `-D` definitions of spark-submit's own JVM. */
  readonly definitions: Readonly<Record<string, string>>;
  /** The application, resolved to a URI. */
  readonly primaryResource: string | undefined;
  readonly mainClass: string | undefined;
  readonly proxyUser: string | undefined;
  /** Messages for the user that were found on the way. */
  readonly notices: readonly string[];
}

/** Where the configuration comes from, besides the request. */
export type ConfigurationOutside = Pick<Outside, "clock" | "env" | "cwd">;

/**
 * Merges the request, the properties file, spark-defaults.conf, the environment and the system properties. Earlier sources
 * win over later ones (SparkSubmitArguments, 3.5.6 and 4.1.1).
 *
 * @throws KindlingError for files that cannot be read, and `ACCESS_DENIED` for what the access forbids; `noticesOf` gives the
 *   notices that were found before
 */
export function configure(request: ConfigurationRequest, outside: ConfigurationOutside, access: Access): Configuration {
  const notices = new Notices();
  try {
    return access === "nothing" ? fromRequest(request, notices) : fromMachine(request, outside, notices);
  } catch (error) {
    notices.leaveWith(error);
    throw error;
  }
}

/** The request alone: everything that it names is elsewhere, not on this machine. */
function fromRequest(request: ConfigurationRequest, notices: Notices): Configuration {
  const given = { ...request.conf, ...ownEntries(request), ...listEntries(request, (list) => list.join(",")) };
  const entries = withLegacyNames(sparkOnly([{ entries: given }], notices));
  refuseAccess(request, sparkConf(entries, { sparkVersion: "" }));
  const primaryResource = request.application?.resource;
  return configuration(request, entries, { env: {}, definitions: {}, primaryResource, notices });
}

function fromMachine(request: ConfigurationRequest, outside: ConfigurationOutside, notices: Notices): Configuration {
  const { cwd } = outside;
  const env = withSparkEnv(outside.env, notices.add);
  const definitions = jvmDefinitions(env, outside.clock);
  const lists = listEntries(request, (list) => resolveUris(list.join(","), cwd));
  const given = { ...request.conf, ...ownEntries(request) };
  const properties = sparkOnly([{ entries: given }, ...propertiesFiles(request, env, outside)], notices);
  const entries: Record<string, string> = {
    ...sparkDefinitions(definitions),
    ...environmentEntries(env),
    ...withLegacyNames(properties),
    ...lists,
  };
  // SparkSubmit does not look for a name among the JVM's own properties.
  if (properties["spark.app.name"] === undefined) delete entries["spark.app.name"];
  for (const { key, flag } of URI_LISTS) {
    const value = entries[key];
    const origin = lists[key] === undefined ? key : flag;
    if (value !== undefined && (lists[key] ?? properties[key]) !== undefined) {
      entries[key] = expandGlobs(value, origin, cwd, notices.add);
    }
  }
  const resource = request.application?.resource;
  const primaryResource = resource === undefined || isName(resource) ? resource : resolveUri(resource, cwd);
  return configuration(request, entries, { env, definitions, primaryResource, notices });
}

function configuration(
  { application, proxyUser, driverTemplate, executorTemplate }: ConfigurationRequest,
  entries: Record<string, string>,
  { notices, ...found }: Pick<Configuration, "env" | "definitions" | "primaryResource"> & { notices: Notices },
): Configuration {
  const { primaryResource } = found;
  const mainClass = application?.mainClass;
  if (typeof driverTemplate === "object") delete entries[DRIVER_POD_TEMPLATE_FILE.key];
  if (typeof executorTemplate === "object") delete entries[EXECUTOR_POD_TEMPLATE_FILE.key];
  entries["spark.app.name"] ??= mainClass ?? (primaryResource === undefined ? "spark" : baseName(primaryResource));
  return { ...found, entries, mainClass, proxyUser, notices: notices.all };
}

/** Shells and `spark-internal` are names, not files. */
function isName(resource: string): boolean {
  return isShell(resource) || resource === NO_RESOURCE;
}

export function isShell(resource: string): boolean {
  return ["spark-shell", "pyspark-shell", "sparkr-shell", "connect-shell"].includes(resource);
}

/** The lists of files, and the flags that users know for them. */
const URI_LISTS = [
  { key: "spark.jars", member: "jars", flag: "--jars" },
  { key: "spark.files", member: "files", flag: "--files" },
  { key: "spark.archives", member: "archives", flag: "--archives" },
  { key: "spark.submit.pyFiles", member: "pyFiles", flag: "--py-files" },
] as const;

/** The lists in the request; each replaces the value of the key. */
function listEntries(
  request: ConfigurationRequest,
  textOf: (list: readonly string[]) => string,
): Record<string, string> {
  return Object.fromEntries(
    URI_LISTS.flatMap(({ key, member }) => {
      const list = request[member];
      return list === undefined ? [] : [[key, textOf(list)]];
    }),
  );
}

/** The entries that members of the request stand for. */
function ownEntries(request: ConfigurationRequest): Record<string, string> {
  const { master, name, namespace, sparkVersion, driverTemplate, executorTemplate } = request;
  const entries = {
    "spark.master": master,
    "spark.app.name": name,
    [NAMESPACE.key]: namespace,
    [SPARK_VERSION.key]: sparkVersion,
    [DRIVER_POD_TEMPLATE_FILE.key]: driverTemplate,
    [EXECUTOR_POD_TEMPLATE_FILE.key]: executorTemplate,
  };
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Entries, and the file that they come from, if they come from one. */
interface NamedEntries {
  readonly entries: Readonly<Record<string, string>>;
  readonly origin?: string;
}

/** The entries that begin with `spark.`, of several sources; the first source wins. */
function sparkOnly(sources: readonly NamedEntries[], notices: Notices): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const { entries, origin } of sources) {
    const where = origin === undefined ? "" : ` (${origin})`;
    for (const [key, value] of Object.entries(entries)) {
      if (key.startsWith("spark.")) {
        if (!Object.hasOwn(merged, key)) merged[key] = value;
      } else {
        const quote = typographicQuoteIn(key.slice(0, 1));
        const why =
          quote === undefined ? "" : `, but with the quotation mark ${quote}: a shell takes only straight ones`;
        notices.add(`${key}${where} is ignored, because it does not begin with 'spark.'${why}`);
      }
    }
  }
  return merged;
}

/** Keys that once had YARN's names. */
function withLegacyNames(entries: Record<string, string>): Record<string, string> {
  const named = { ...entries };
  for (const name of ["principal", "keytab"]) {
    const value = entries[`spark.kerberos.${name}`] ?? entries[`spark.yarn.${name}`];
    if (value !== undefined) named[`spark.kerberos.${name}`] = value;
  }
  return named;
}
