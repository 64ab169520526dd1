import { harmlessText, KindlingError, messageOf } from "@kindling/core-spec";
import { trustedCertificates, TrustStoreError } from "@kindling/x509";
import { hadoopConfiguration, parseHadoopXml, type HadoopConfiguration } from "./hadoop-configuration.ts";

export interface TrustSources {
  /** The text of one of Hadoop's files, such as ssl-client.xml; `undefined` if there is none. */
  readonly hadoopFile: (name: string) => string | undefined;
  /** Throws if the file cannot be read. */
  readonly readBytes: (path: string) => Buffer;
}

const LOCATION = "ssl.client.truststore.location";

/**
 * The authorities whose certificates of name nodes are good, in PEM: those of the trust store that ssl-client.xml names
 * (Hadoop, FileBasedKeyStoresFactory). Without one, Node's own, with NODE_EXTRA_CA_CERTS: `undefined`.
 *
 * @throws KindlingError `FILE_UNREADABLE`
 */
export function trustedAuthorities(
  conf: HadoopConfiguration,
  { hadoopFile, readBytes }: TrustSources,
): readonly string[] | undefined {
  const file = conf.get("hadoop.ssl.client.conf") || "ssl-client.xml";
  const properties = parseHadoopXml(hadoopFile(file) ?? "", hadoopFile);
  const settings = hadoopConfiguration(properties);
  const store = settings.get(LOCATION) ?? "";
  if (store === "") return undefined;
  const origin = `${LOCATION} in ${file}: ${store}`;
  try {
    return trustedCertificates(readBytes(store), settings.get("ssl.client.truststore.password") || undefined);
  } catch (error) {
    // The cause has no part of the password.
    throw new KindlingError("FILE_UNREADABLE", `${harmlessText(origin)}: ${harmlessText(messageOf(error))}`, {
      hint:
        error instanceof TrustStoreError
          ? "the password is ssl.client.truststore.password there; the store may also be a file in PEM"
          : "name a file that this process can read",
      cause: error,
    });
  }
}

/** Whether any of these is reached over TLS. */
export function needsTrust(fileSystems: readonly { readonly nameNodes: readonly URL[] }[]): boolean {
  return fileSystems.some(({ nameNodes }) => nameNodes.some(({ protocol }) => protocol === "https:"));
}
