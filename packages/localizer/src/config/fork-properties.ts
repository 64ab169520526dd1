import { KindlingError, parseProperties, parseTime, PropertiesSyntaxError } from "@kindling/core-spec";
import type { BundleConfig, FileConfig, LocalizerConfig, ResolvedConfig } from "./localizer-config.ts";
import { resolveLocalizerConfig } from "./parse-localizer-config.ts";
import { ConfigFault } from "./readers.ts";
import { sourceUri } from "./source-uri.ts";

const INIT = "spark.kubernetes.initcontainer";
const MOUNT = "spark.kubernetes.mountdependencies";
const SERVER = "spark.kubernetes.resourceStagingServer";
const SSL = "spark.ssl.kubernetes.resourceStagingServer";
const SECRETS = "/mnt/secrets/spark-init";

// The two kinds of dependencies; keys and defaults as in the fork's deploy/k8s/config.scala, branch-2.2-kubernetes.
const SORTS = [
  {
    name: "jars",
    id: `${INIT}.downloadJarsResourceIdentifier`,
    secret: [`${INIT}.downloadJarsSecretLocation`, `${SECRETS}/downloadSubmittedJarsSecret`],
    directory: [`${MOUNT}.jarsDownloadDir`, "/var/spark-data/spark-jars"],
    remote: `${INIT}.remoteJars`,
  },
  {
    name: "files",
    id: `${INIT}.downloadFilesResourceIdentifier`,
    secret: [`${INIT}.downloadFilesSecretLocation`, `${SECRETS}/downloadSubmittedFilesSecret`],
    directory: [`${MOUNT}.filesDownloadDir`, "/var/spark-data/spark-files"],
    remote: `${INIT}.remoteFiles`,
  },
] as const;

type Properties = Readonly<Record<string, string>>;

/**
 * Reads the `spark-init.properties` of the old fork (apache-spark-on-k8s/spark, branch-2.2-kubernetes), which its
 * `KubernetesSparkDependencyDownloadInitContainer` read: up to two bundles of the v0 protocol, and lists of remote files,
 * each for its download directory. Unlike the fork, it does not unpack remote tar files.
 *
 * @param source the name for it in errors, such as its path
 * @throws KindlingError `CONF_INVALID` that names the key
 */
export function parseForkProperties(properties: string, source: string): ResolvedConfig {
  const fail = (key: string, problem: string): never => {
    throw new KindlingError("CONF_INVALID", `${source}: ${key} ${problem}`);
  };
  const conf = read(properties, source);
  const bundles: Record<string, BundleConfig> = {};
  const files: FileConfig[] = [];
  for (const sort of SORTS) {
    const directory = conf[sort.directory[0]] ?? sort.directory[1];
    const id = conf[sort.id];
    if (id !== undefined) {
      const server = conf[`${SERVER}.internal.uri`] ?? conf[`${SERVER}.uri`];
      if (server === undefined) return fail(`${SERVER}.internal.uri`, `is missing, but ${sort.id} is set`);
      const caFile = trustedCertificates(conf, fail);
      bundles[sort.name] = {
        server,
        id,
        secretFile: conf[sort.secret[0]] ?? sort.secret[1],
        protocol: "v0",
        ...(caFile !== undefined && { caFile }),
      };
      files.push({ from: { bundle: sort.name }, to: directory });
    }
    for (const uri of list(conf[sort.remote])) {
      // The fork makes remote files executable (Utils.fetchFile).
      files.push({ from: { uri }, to: `${directory}/${baseName(uri, sort.remote, fail)}`, mode: 0o755 });
    }
  }
  const document: LocalizerConfig = {
    version: 1,
    files,
    bundles,
    roots: [...new Set(SORTS.map(({ directory }) => conf[directory[0]] ?? directory[1]))],
    ...deadline(conf, fail),
  };
  return resolveLocalizerConfig(document, source);
}

function read(properties: string, source: string): Properties {
  try {
    return parseProperties(properties);
  } catch (error) {
    if (!(error instanceof PropertiesSyntaxError)) throw error;
    throw new KindlingError("CONF_INVALID", `${source}: line ${error.line}: ${error.message}`, { cause: error });
  }
}

type Fail = (key: string, problem: string) => never;

function trustedCertificates(conf: Properties, fail: Fail): string | undefined {
  const key = (name: string): string =>
    `${SSL}.internal.${name}` in conf ? `${SSL}.internal.${name}` : `${SSL}.${name}`;
  if ((conf[key("enabled")] ?? "false").trim().toLowerCase() !== "true") return undefined;
  if (key("trustStore") in conf) {
    fail(
      key("trustStore"),
      `is a Java key store, which cannot be read here; give PEM certificates as ${key("clientCertPem")}`,
    );
  }
  return conf[key("clientCertPem")]?.replace(/^(file|local):\/*/, "/");
}

function list(value: string | undefined): readonly string[] {
  return (value ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function baseName(uri: string, key: string, fail: Fail): string {
  try {
    sourceUri.read(uri, key);
    const { pathname } = new URL(uri.replace(/^[^:]*:/, "http:"));
    const name = decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
    if (name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name)) return name;
  } catch (error) {
    if (error instanceof ConfigFault) return fail(key, `has an entry that ${error.message}`);
  }
  return fail(key, "has an entry whose path does not end in a file's name");
}

/** A number without a unit means minutes. */
function deadline(conf: Properties, fail: Fail): { readonly deadlineSeconds?: number } {
  const key = `${MOUNT}.mountTimeout`;
  const text = conf[key]?.trim();
  if (text === undefined) return {};
  const seconds = parseTime(/^\d+$/.test(text) ? `${text}min` : text, "s");
  if (seconds === undefined || seconds < 1) return fail(key, "must be a positive duration, such as 5m");
  return { deadlineSeconds: seconds };
}
