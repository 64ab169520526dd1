import { harmlessText, KindlingError, parseProperties, PropertiesSyntaxError } from "@kindling/core-spec";
import { offeredQueues, type OfferedQueue } from "./offered-queues.ts";

/** What an installation of Kindling publishes in its namespace for submitters. Plain data. */
export interface Installation {
  readonly namespace: string;
  /** The version of what is installed; undefined if it does not say so. */
  readonly version: string | undefined;
  /** The namespaces of the applications that it serves; undefined if it does not say so. */
  readonly namespaces: readonly string[] | undefined;
  /** Configuration entries of the lowest precedence. */
  readonly entries: Readonly<Record<string, string>>;
  /** CA certificates in PEM for its staging server and gateway. */
  readonly ca: string | undefined;
  /** The queues of its gateway that it publishes. */
  readonly queues?: readonly OfferedQueue[];
  /** Labels of the application's namespace, if a queue checks them and this user may see them. */
  readonly namespaceLabels?: Readonly<Record<string, string>> | undefined;
}

/** The name of the ConfigMap. */
export const CONFIG_MAP = "kindling";
const VERSION = "version";
const NAMESPACES = "namespaces";
const PROPERTIES = "kindling.properties";
const CA = "ca.crt";
const QUEUES = "queues.json";

// The writer of the ConfigMap decides where files and tokens go, and nothing else: not which files of a submitter's disk are
// read, not which modules are loaded there, and not which secrets are sent unencrypted.
const TAKEN =
  /^spark\.kindling\.(?:(?:staging|localizer|scheduler|recorder|connect|eventLog|driver\.restart|podSecurity|shuffle)\.[^]+|scheduler|eventLog|driver\.restart|podSecurity|shuffle)$/;
const NOT_TAKEN = /File$|^spark\.kindling\.staging\.allowInsecure$/;

/** Whether an installation may set a key. */
export function isTaken(key: string): boolean {
  return TAKEN.test(key) && !NOT_TAKEN.test(key);
}

/**
 * Reads the ConfigMap of an installation. Keys that an installation may not set are ignored.
 *
 * @throws KindlingError `FILE_UNPARSABLE` that names the entry, and the line of a properties file
 */
export function parseInstallation(namespace: string, data: Readonly<Record<string, unknown>>): Installation {
  const version = textOf(data, VERSION)?.trim();
  return {
    namespace,
    version: version !== undefined && /^[\w.+-]{1,63}$/.test(version) ? version : undefined,
    namespaces: textOf(data, NAMESPACES)
      ?.split(/[\s,]+/)
      .filter((name) => name !== ""),
    entries: propertiesOf(namespace, textOf(data, PROPERTIES) ?? ""),
    ca: certificatesOf(namespace, textOf(data, CA)),
    ...queuesOf(textOf(data, QUEUES)),
  };
}

function textOf(data: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

function propertiesOf(namespace: string, text: string): Record<string, string> {
  try {
    const all = Object.entries(parseProperties(text));
    return Object.fromEntries(all.flatMap(([key, value]) => (isTaken(key) ? [[key, value.trim()]] : [])));
  } catch (error) {
    if (!(error instanceof PropertiesSyntaxError)) throw error;
    throw unfit(namespace, `${PROPERTIES}, line ${error.line}: ${harmlessText(error.message)}`);
  }
}

function queuesOf(text: string | undefined): Pick<Installation, "queues"> {
  const queues = offeredQueues(text);
  return queues.length === 0 ? {} : { queues };
}

function certificatesOf(namespace: string, text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  if (!text.includes("-----BEGIN CERTIFICATE-----")) throw unfit(namespace, `${CA} holds no certificate in PEM`);
  return text;
}

function unfit(namespace: string, fault: string): KindlingError {
  return new KindlingError("FILE_UNPARSABLE", `configmap ${CONFIG_MAP} in namespace ${namespace}: ${fault}`, {
    hint: "ask whoever installed Kindling to correct it, or submit without it: spark.kindling.installation=none",
  });
}
