import { confType } from "@kindling/core-spec";
import { adminKeys, port, seconds, text, type Settings } from "@kindling/service/settings";

const { list, oneOf } = confType;

/** Where the server listens, and its certificates. */
export interface ListenConfig {
  readonly "listen.host": string;
  readonly "listen.port": number;
  readonly "listen.trustedProxies": readonly string[];

  readonly "admin.host": string;
  readonly "admin.port": number;

  readonly "tls.certFile": string | undefined;
  readonly "tls.keyFile": string | undefined;
  readonly "tls.clientCaFile": string | undefined;
  readonly "tls.minVersion": "TLSv1.2" | "TLSv1.3";
  readonly "tls.reloadInterval": number;
}

export const LISTEN_KEYS: Settings<ListenConfig> = {
  "listen.host": { type: text, default: "0.0.0.0", doc: "Address that the protocol is served on." },
  "listen.port": {
    type: port,
    default: "10000",
    doc: "Port that the protocol is served on; 0 takes a free one.",
    alternatives: ["spark.kubernetes.resourceStagingServer.port"],
  },
  "listen.trustedProxies": {
    type: list,
    default: "",
    doc:
      "Networks of proxies in front of this server, such as `10.0.0.0/8`. For these, the server takes a client's " +
      "address from `X-Forwarded-For`, and does not count connections by client. Name only the proxies: whoever has " +
      "an address in these networks can claim any other address.",
  },

  ...adminKeys("0.0.0.0", "10001"),

  "tls.certFile": {
    type: text,
    default: undefined,
    doc: "Certificate chain as PEM. With it and the key, the protocol is served over TLS only.",
    alternatives: ["spark.ssl.kubernetes.resourceStagingServer.serverCertPem"],
  },
  "tls.keyFile": {
    type: text,
    default: undefined,
    doc: "Private key of the certificate as PEM.",
    alternatives: ["spark.ssl.kubernetes.resourceStagingServer.keyPem"],
  },
  "tls.clientCaFile": {
    type: text,
    default: undefined,
    doc: "Authorities that sign client certificates, as PEM. Clients are asked for one; only `auth.mode=mtls` needs it.",
  },
  "tls.minVersion": {
    type: oneOf("TLSv1.2", "TLSv1.3"),
    default: "TLSv1.2",
    doc: "The oldest TLS version that the server accepts.",
  },
  "tls.reloadInterval": {
    type: seconds,
    default: "10s",
    doc: "How often the TLS files and `auth.accessFile` are checked for changes. Open connections go on.",
  },
};
