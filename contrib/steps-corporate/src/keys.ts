import { confKey, confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

const { checked, list, text } = confType;
const SUBMIT = { since: "3.5.0", readBy: ["submit", "executor"] } as const;

export const CA_CONFIG_MAP: ConfKey<string | undefined> = optionalConfKey({
  ...SUBMIT,
  key: "spark.kindling.corporate.ca.configMap",
  type: text,
  doc: "A ConfigMap of the application's namespace with certificates that driver and executors are to trust.",
});

export const CA_CERTIFICATES: ConfKey<string> = confKey({
  ...SUBMIT,
  key: "spark.kindling.corporate.ca.certificates",
  type: checked(text, isEntry, "the name of an entry of a ConfigMap"),
  default: "ca.crt",
  doc: "Its entry that holds them in PEM, for Python, OpenSSL, curl and others.",
});

export const CA_TRUSTSTORE: ConfKey<string | undefined> = optionalConfKey({
  ...SUBMIT,
  key: "spark.kindling.corporate.ca.truststore",
  type: checked(text, isEntry, "the name of an entry of a ConfigMap"),
  doc: "Its entry that holds them as a truststore, for the JVM: PKCS12 if it ends in .p12 or .pfx, else JKS. Without it the JVM keeps its own.",
});

export const CA_TRUSTSTORE_PASSWORD: ConfKey<string> = confKey({
  ...SUBMIT,
  key: "spark.kindling.corporate.ca.truststorePassword",
  type: checked(text, (value) => !/[\s"'\\]/.test(value), "a text without blanks, quotes and backslashes"),
  default: "changeit",
  doc: "The password of that truststore; empty for one without. It protects public certificates alone, and stands in the driver's configuration for all to read.",
});

export const PROXY_HTTP: ConfKey<string | undefined> = proxyKey("http");
export const PROXY_HTTPS: ConfKey<string | undefined> = proxyKey("https");

export const NO_PROXY: ConfKey<readonly string[]> = confKey({
  ...SUBMIT,
  key: "spark.kindling.corporate.proxy.noProxy",
  type: checked(
    list,
    (entries) => entries.every(isHostPattern),
    "a list such as .example.com,10.0.0.0/8,db.example.com",
  ),
  default: "",
  doc: "Further hosts, domains and networks that are reached without a proxy. The cluster's own services always are.",
});

export const CLUSTER_DOMAIN: ConfKey<string> = confKey({
  ...SUBMIT,
  key: "spark.kindling.corporate.proxy.clusterDomain",
  type: checked(text, (value) => /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(value), "a domain such as cluster.local"),
  default: "cluster.local",
  doc: "The domain of the cluster's own services.",
});

function proxyKey(scheme: "http" | "https"): ConfKey<string | undefined> {
  return optionalConfKey({
    ...SUBMIT,
    key: `spark.kindling.corporate.proxy.${scheme}`,
    type: checked(text, isProxyUri, "a URI such as http://proxy.example.com:3128, without a user and a path"),
    doc: `The proxy by which driver and executors reach ${scheme} servers outside the cluster.`,
  });
}

/** A URI with a user is refused elsewhere, with an error that does not show it. */
function isProxyUri(value: string): boolean {
  return /^http:\/\/([^@/\s]*@)?[A-Za-z0-9][-.A-Za-z0-9]*:\d{1,5}\/?$/.test(value);
}

function isEntry(value: string): boolean {
  return /^[-._A-Za-z0-9]{1,253}$/.test(value) && value !== "." && value !== "..";
}

/** Patterns that all readers of NO_PROXY understand in the same way, and that Java's `nonProxyHosts` can express. */
function isHostPattern(value: string): boolean {
  return /^(\*?\.)?[A-Za-z0-9][-.A-Za-z0-9]*(\/\d{1,2})?$/.test(value);
}
