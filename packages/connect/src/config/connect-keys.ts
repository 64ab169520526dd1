import { confType, isApiServerAudience, isDnsLabel, type ConfType } from "@kindling/core-spec";
import { OIDC_KEYS, type OidcSettings } from "@kindling/oidc/settings";
import type { ListenSettings, LogLevel } from "@kindling/service";
import {
  adminKeys,
  AUDIT_KEYS,
  type AuditSettings,
  count,
  port,
  seconds,
  type Settings,
  sizeBytes,
  text,
} from "@kindling/service/settings";

/** How users may prove who they are. */
export type AuthenticationMode = "none" | "token" | "kubernetes" | "oidc";

/** All settings of the service, read and checked. Sizes are bytes, durations seconds. */
export interface ConnectConfig extends ListenSettings, OidcSettings, AuditSettings {
  readonly "service.name": string;
  readonly "tls.certFile": string | undefined;
  readonly "tls.keyFile": string | undefined;
  readonly "tls.reloadInterval": number;
  readonly "profiles.file": string;
  readonly "profiles.default": string | undefined;
  readonly "auth.modes": readonly AuthenticationMode[];
  readonly "auth.accessFile": string | undefined;
  readonly "auth.audiences": readonly string[];
  readonly "auth.cache": number;
  readonly "auth.reviews": number;
  readonly "cluster.kubeconfig": string | undefined;
  readonly "cluster.namespaces": readonly string[];
  readonly "drivers.defaultsFile": string | undefined;
  readonly "drivers.steps": readonly string[];
  readonly "drivers.keyFile": string | undefined;
  readonly "calls.startWait": number;
  readonly "limits.connections": number;
  readonly "limits.connectionsPerClient": number;
  readonly "limits.calls": number;
  readonly "limits.callsPerConnection": number;
  readonly "limits.callsPerUser": number;
  readonly "limits.messageBytes": number;
  readonly "limits.firstMessage": number;
  readonly "limits.readerStall": number;
  readonly "limits.failedReviews": number;
  readonly "shutdown.grace": number;
  readonly "log.level": LogLevel;
}

const { checked, list, oneOf } = confType;

const MODES: readonly AuthenticationMode[] = ["none", "token", "kubernetes", "oidc"];

const modes: ConfType<readonly AuthenticationMode[]> = {
  name: "list",
  parse(written) {
    const names = list.parse(written);
    if (confType.isMisfit(names)) return names;
    const known = names.flatMap((name) => MODES.find((mode) => mode === name) ?? []);
    const isAlone = !known.some((mode) => mode === "none") || known.length === 1;
    return known.length === names.length && isAlone
      ? known
      : confType.misfit("none alone, or some of token, kubernetes, oidc");
  },
};

/** The declared schema: file, flags, environment, defaults and help are all read from here, in this order. */
export const CONNECT_KEYS: Settings<ConnectConfig> = {
  "listen.host": { type: text, default: "127.0.0.1", doc: "Address that Spark Connect is served on." },
  "listen.port": { type: port, default: "15002", doc: "Port that Spark Connect is served on; 0 takes a free one." },

  ...adminKeys("127.0.0.1", "8081"),

  "service.name": {
    type: checked(text, isDnsLabel, "a name of at most 63 of a-z, 0-9 and -"),
    default: "connect",
    doc: "A name that no other connect service of the cluster has. Drivers have it as a label, and the service knows its own by it.",
  },

  "tls.certFile": { type: text, default: undefined, doc: "Certificate chain as PEM." },
  "tls.keyFile": { type: text, default: undefined, doc: "Private key of the certificate as PEM." },
  "tls.reloadInterval": {
    type: seconds,
    default: "10s",
    doc: "How often the TLS files, `profiles.file` and `auth.accessFile` are checked for changes. Open connections go on.",
  },

  "profiles.file": {
    type: text,
    default: "/etc/kindling-connect/profiles.yaml",
    doc: "The YAML file of profiles. It is read again when it changes.",
  },
  "profiles.default": {
    type: text,
    default: undefined,
    doc: "The profile of sessions that name none. Unset: the file's first one that the user may use.",
  },

  "auth.modes": {
    type: modes,
    default: "",
    doc:
      "How users can prove who they are; one of these is enough: `token` (see `auth.accessFile`), `kubernetes` (a token of the " +
      "cluster for `auth.audiences`), `oidc` (a token of `oidc.issuerUrl`). `none` is for a loopback address only, and is the " +
      "default there. Must be set on any other address.",
  },
  "auth.accessFile": {
    type: text,
    default: undefined,
    doc:
      "A JSON file of tokens, with the namespaces whose profiles each of them may use. It is read again when it changes. The " +
      "format is that of the staging server.",
  },
  "auth.audiences": {
    type: checked(
      list,
      (audiences) => audiences.length > 0 && !audiences.some(isApiServerAudience),
      "audiences of this service's own",
    ),
    default: "kindling-connect",
    doc: "The audiences that are accepted with `kubernetes`. A token must have at least one of them, and no other audience.",
  },
  "auth.cache": {
    type: checked(seconds, (value) => value >= 1 && value <= 60, "a duration from 1s to 60s"),
    default: "60s",
    doc:
      "How long the API server's answers about tokens and rights are cached. Calls that run longer have their tokens checked " +
      "again after this time.",
  },
  "auth.reviews": { type: count, default: "16", doc: "How many tokens the API server is asked about at once." },

  ...OIDC_KEYS,

  "cluster.kubeconfig": {
    type: text,
    default: undefined,
    doc: "Kubeconfig of the cluster; by default that of the pod, or the user's own.",
  },
  "cluster.namespaces": {
    type: checked(list, (names) => names.every(isDnsLabel), "names of namespaces"),
    default: "",
    doc: "Namespaces that profiles may name. Each has a watch of its own. Empty: all namespaces, with one watch.",
  },

  "drivers.defaultsFile": {
    type: text,
    default: undefined,
    doc: "A properties file with Spark's keys as defaults for all drivers. What a profile says wins.",
  },
  "drivers.steps": {
    type: list,
    default: "",
    doc: "Contributed steps that run for every Spark driver: npm packages, or paths of modules.",
  },
  "drivers.keyFile": {
    type: text,
    default: undefined,
    doc:
      "A file with a secret of at least 32 bytes. Tokens are made from it, by which Spark's servers from 4.0 on know this service; " +
      "they refuse everybody else. Unset: drivers take calls from all who can reach them.",
  },

  "calls.startWait": {
    type: checked(seconds, (value) => value >= 1, "a duration of at least 1s"),
    default: "30s",
    doc: "How long a call waits for a driver that is being started. Then it is told what the driver waits for, and clients try again.",
  },

  "limits.connections": { type: count, default: "2048", doc: "Most connections at once." },
  "limits.connectionsPerClient": {
    type: count,
    default: "512",
    doc: "Most connections at once from one address. Behind a proxy or a load balancer all clients may have one address.",
  },
  "limits.calls": { type: count, default: "20000", doc: "Most calls at once." },
  "limits.callsPerConnection": { type: count, default: "256", doc: "Most calls at once on one connection." },
  "limits.callsPerUser": { type: count, default: "1000", doc: "Most calls of one user at once." },
  "limits.messageBytes": {
    type: sizeBytes,
    default: "128m",
    doc: "The largest first message of a call. Spark's clients and servers take 128m.",
  },
  "limits.firstMessage": {
    type: checked(seconds, (value) => value >= 1, "a duration of at least 1s"),
    default: "20s",
    doc: "How long the first message of a call, and the handshake and the first call of a connection, may take to arrive.",
  },
  "limits.readerStall": {
    type: checked(seconds, (value) => value >= 1, "a duration of at least 1s"),
    default: "5min",
    doc: "How long a client may take nothing of an answer that waits for it. Then the call is cut; clients attach to it again.",
  },
  "limits.failedReviews": {
    type: count,
    default: "5",
    doc: "How many tokens from one address the API server may refuse in a second; ten times as many from all addresses.",
  },

  "shutdown.grace": {
    type: seconds,
    default: "5s",
    doc: "How long calls may still take when the service is stopped. Clients attach to those that are cut, at the next one.",
  },
  ...AUDIT_KEYS,
  "log.level": {
    type: oneOf<LogLevel>("debug", "info", "warn", "error"),
    default: "info",
    doc: "The lowest level that is logged.",
  },
};
