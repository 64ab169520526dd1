import { KindlingError, type ConfKey, type EnvVar, type SparkConf } from "@kindling/core-spec";
import { CLUSTER_DOMAIN, NO_PROXY, PROXY_HTTP, PROXY_HTTPS } from "./keys.ts";

/** The address where a driver asks for its executors; Spark's client uses the environment's proxies, too. */
const DRIVER_MASTER = "spark.kubernetes.driver.master";

/** The environment variables of proxies, in upper and lower case: curl reads `http_proxy` only in lower case. */
export function proxyVariables(conf: SparkConf, driverConf: Readonly<Record<string, string>>): EnvVar[] {
  if (!hasProxy(conf)) return [];
  const values = {
    HTTP_PROXY: proxyOf(conf, PROXY_HTTP),
    HTTPS_PROXY: proxyOf(conf, PROXY_HTTPS),
    NO_PROXY: exempt(conf, driverConf)
      .map((entry) => entry.replace(/^\*\./, "."))
      .join(","),
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [name, name.toLowerCase()].map((variable) => ({ name: variable, value })),
  );
}

/** The same for a JVM, which does not read the environment. */
export function proxyOptions(conf: SparkConf, driverConf: Readonly<Record<string, string>>): string[] {
  if (!hasProxy(conf)) return [];
  const proxies = { http: proxyOf(conf, PROXY_HTTP), https: proxyOf(conf, PROXY_HTTPS) };
  const hosts = exempt(conf, driverConf).flatMap(javaPatterns);
  return [
    ...Object.entries(proxies).flatMap(([scheme, uri]) => {
      if (uri === undefined) return [];
      const { hostname, port } = new URL(uri);
      // A URL omits the default port of its scheme.
      return [`-D${scheme}.proxyHost=${hostname}`, `-D${scheme}.proxyPort=${port === "" ? "80" : port}`];
    }),
    // Java has one list for both schemes.
    `-Dhttp.nonProxyHosts=${[...new Set(hosts)].join("|")}`,
  ];
}

/** Networks that Java's list of exempted hosts cannot express. */
export function unspeakable(conf: SparkConf): string[] {
  return hasProxy(conf) ? conf.get(NO_PROXY).filter((entry) => javaPatterns(entry).length === 0) : [];
}

function hasProxy(conf: SparkConf): boolean {
  return conf.get(PROXY_HTTP) !== undefined || conf.get(PROXY_HTTPS) !== undefined;
}

function proxyOf(conf: SparkConf, key: ConfKey<string | undefined>): string | undefined {
  const uri = conf.get(key);
  if (uri?.includes("@") !== true) return uri;
  throw new KindlingError(
    "CONF_INVALID",
    `${key.key}: it contains a user name and password, which everybody who sees the pod could read`,
    {
      hint: "use a proxy inside the cluster that needs no password and passes requests on",
    },
  );
}

/**
 * The hosts without a proxy: this pod, the cluster's services, the address where the driver asks for executors, and the
 * user's hosts.
 */
function exempt(conf: SparkConf, driverConf: Readonly<Record<string, string>>): string[] {
  const domain = conf.get(CLUSTER_DOMAIN);
  const master = driverConf[DRIVER_MASTER]?.replace(/^k8s:\/\//, "");
  return [
    "localhost",
    "127.0.0.1",
    "kubernetes.default.svc",
    ".svc",
    `.svc.${domain}`,
    ...(master !== undefined && URL.canParse(master) ? [new URL(master).hostname] : []),
    ...conf.get(NO_PROXY),
  ];
}

/** An exempted host, domain or network in the form of Java's `nonProxyHosts`; empty if it cannot be expressed. */
function javaPatterns(entry: string): string[] {
  const [, address = "", length] = /^([\d.]+)\/(\d+)$/.exec(entry) ?? [];
  if (length !== undefined) {
    const octets = Number(length) / 8;
    if (![1, 2, 3, 4].includes(octets)) return [];
    const network = address.split(".").slice(0, octets).join(".");
    return [octets === 4 ? network : `${network}.*`];
  }
  if (/^\*?\./.test(entry)) return [`*${entry.replace(/^\*/, "")}`];
  if (/^[\d.]+$/.test(entry)) return [entry];
  // For other readers, a name also means all names below it.
  return [entry, `*.${entry}`];
}
