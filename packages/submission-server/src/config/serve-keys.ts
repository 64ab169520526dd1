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

/** How clients may authenticate. */
export type AuthenticationMode = "none" | "token" | "kubernetes" | "mtls" | "oidc";

/** All settings of the service, read and checked. Sizes are bytes, durations seconds. */
export interface ServeConfig extends ListenSettings, OidcSettings, AuditSettings {
  readonly "listen.connections": number;
  readonly "listen.trustedProxies": readonly string[];

  readonly "tls.certFile": string | undefined;
  readonly "tls.keyFile": string | undefined;
  readonly "tls.clientCaFile": string | undefined;
  readonly "tls.reloadInterval": number;
  readonly "tls.plainHttp": boolean;

  readonly "auth.modes": readonly AuthenticationMode[];
  readonly "auth.accessFile": string | undefined;
  readonly "auth.audiences": readonly string[];
  readonly "auth.cache": number;
  readonly "auth.reviews": number;

  readonly "cluster.kubeconfig": string | undefined;
  readonly "cluster.namespaces": readonly string[];

  readonly "submit.defaultsFile": string | undefined;
  readonly "submit.deniedKeys": readonly string[];
  readonly "submit.steps": readonly string[];

  readonly "limits.connectionsPerClient": number | undefined;
  readonly "limits.writeStall": number;
  readonly "limits.failedReviews": number;
  readonly "limits.submissions": number;
  readonly "limits.submissionsPerSubject": number;
  readonly "limits.requestBytes": number;
  readonly "limits.requestTimeout": number;
  readonly "limits.reports": number;
  readonly "limits.streams": number;
  readonly "limits.streamsPerSubject": number;
  readonly "limits.eventsKept": number;

  readonly "shutdown.grace": number;
  readonly "log.level": LogLevel;
}

const { list, oneOf } = confType;

const MODES: readonly AuthenticationMode[] = ["none", "token", "kubernetes", "mtls", "oidc"];

const modes: ConfType<readonly AuthenticationMode[]> = {
  name: "list",
  parse(written) {
    const names = list.parse(written);
    if (confType.isMisfit(names)) return names;
    const known = names.flatMap((name) => MODES.find((mode) => mode === name) ?? []);
    const isAlone = !known.includes("none") || known.length === 1;
    return known.length === names.length && isAlone
      ? known
      : confType.misfit("none alone, or some of token, kubernetes, mtls, oidc");
  },
};

/** The declared schema: file, flags, environment, defaults and help are all read from here, in this order. */
export const SERVE_KEYS: Settings<ServeConfig> = {
  "listen.host": { type: text, default: "127.0.0.1", doc: "Address that the API is served on." },
  "listen.port": { type: port, default: "8080", doc: "Port that the API is served on; 0 takes a free one." },
  "listen.connections": {
    type: count,
    default: "1024",
    doc:
      "Most connections at once. When all are taken, one is closed for a newcomer: that of a stranger before that of a " +
      "known client, an idle one before a busy one, one of the client that has most.",
  },
  "listen.trustedProxies": {
    type: list,
    default: "",
    doc:
      "Networks of proxies in front of this service, such as `10.0.0.0/8`. For these, the service takes a client's " +
      "address from `X-Forwarded-For`, and does not count connections by client. Name only the proxies: whoever has " +
      "an address in these networks can claim any other address.",
  },

  ...adminKeys("127.0.0.1", "8081"),

  "tls.certFile": { type: text, default: undefined, doc: "Certificate chain as PEM." },
  "tls.keyFile": { type: text, default: undefined, doc: "Private key of the certificate as PEM." },
  "tls.clientCaFile": {
    type: text,
    default: undefined,
    doc: "Authorities that sign client certificates, as PEM; for `auth.modes` with `mtls`.",
  },
  "tls.reloadInterval": {
    type: seconds,
    default: "10s",
    doc: "How often the TLS files and `auth.accessFile` are checked for changes. Open connections go on.",
  },
  "tls.plainHttp": {
    type: confType.boolean,
    default: "false",
    doc:
      "Serves without TLS on an address that others can reach. Use it only behind a proxy that speaks TLS: whoever " +
      "can read the network traffic gets the clients' tokens.",
  },

  "auth.modes": {
    type: modes,
    default: "",
    doc:
      "How clients can prove who they are; one of these is enough: `token` and `mtls` (see `auth.accessFile`), " +
      "`kubernetes` (a token of the cluster for `auth.audiences`), `oidc` (a token of `oidc.issuerUrl`). `none` is for a loopback address only, and is the " +
      "default there. Must be set on any other address.",
  },
  "auth.accessFile": {
    type: text,
    default: undefined,
    doc:
      "A JSON file that says who may use which namespaces with `token` or `mtls`. It is read again when it changes. " +
      "The format is that of the staging server.",
  },
  "auth.audiences": {
    type: confType.checked(
      list,
      (audiences) => audiences.length > 0 && !audiences.some(isApiServerAudience),
      "audiences of this service's own",
    ),
    default: "kindling-submission",
    doc:
      "The audiences that the service accepts with `kubernetes`. A token must have at least one of them, and no " +
      "other audience. Never name the API server's own audience here: whoever gets a token for it can act in the " +
      "cluster.",
  },
  "auth.cache": {
    type: confType.checked(seconds, (value) => value <= 60, "a duration of at most 60s"),
    default: "60s",
    doc: "How long the API server's answers about tokens and rights are cached; at most 60s.",
  },
  "auth.reviews": {
    type: count,
    default: "16",
    doc: "How many tokens the API server is asked about at once. One address can have half of them.",
  },

  ...OIDC_KEYS,

  "cluster.kubeconfig": {
    type: text,
    default: undefined,
    doc: "Kubeconfig of the cluster; by default that of the pod, or the user's own.",
  },
  "cluster.namespaces": {
    type: confType.checked(list, (names) => names.every(isDnsLabel), "names of namespaces"),
    default: "",
    doc:
      "Namespaces that are served. Each has a watch of its own. Empty: all namespaces, with one watch. A submission " +
      "that names no namespace goes to the first one, or to the kubeconfig's.",
  },

  "submit.defaultsFile": {
    type: text,
    default: undefined,
    doc: "A properties file with Spark's keys as defaults for all submissions. What a submission sets itself wins.",
  },
  "submit.deniedKeys": {
    type: list,
    default: "",
    doc: "Further keys that submissions may not set. A key may end in `*`.",
  },
  "submit.steps": {
    type: list,
    default: "",
    doc:
      "Contributed steps that run for every submission: npm packages, which are looked for from the working " +
      "directory, or paths of modules. The steps run in the service, with its rights. Submissions cannot name steps.",
  },

  "limits.connectionsPerClient": {
    type: count,
    default: undefined,
    doc: "Most connections at once of one client, and from one address (of IPv6, one /64 network); unset: half of all.",
  },
  "limits.writeStall": {
    type: seconds,
    default: "60s",
    doc: "How long a reader may take no byte of an answer; up to twice as long after it has taken many at once.",
  },
  "limits.failedReviews": {
    type: count,
    default: "5",
    doc:
      "How many tokens from one address the API server may refuse in a second; ten times as many from all addresses. " +
      "Above that, it is not asked about tokens that it has not accepted before. The tokens of ten seconds may come " +
      "at once.",
  },
  "limits.submissions": {
    type: count,
    default: "64",
    doc: "How many submissions may be under way at once. Further ones are answered with 503 and `Retry-After`.",
  },
  "limits.submissionsPerSubject": { type: count, default: "48", doc: "How many of them may be of one client." },
  "limits.requestBytes": { type: sizeBytes, default: "1m", doc: "The longest request body." },
  "limits.requestTimeout": { type: seconds, default: "30s", doc: "How long a request may take to arrive." },
  "limits.reports": {
    type: count,
    default: "16",
    doc: "How many applications are diagnosed at once. Each diagnosis asks the API server several questions.",
  },
  "limits.streams": { type: count, default: "256", doc: "How many logs and streams of events may be open at once." },
  "limits.streamsPerSubject": { type: count, default: "64", doc: "How many of them may be of one client." },
  "limits.eventsKept": {
    type: count,
    default: "1000",
    doc:
      "How many changes are kept for clients that reconnect. A client that has missed more gets the list of all " +
      "applications again.",
  },

  ...AUDIT_KEYS,

  "shutdown.grace": {
    type: seconds,
    default: "20s",
    doc: "How long submissions that are under way may still take when the service is stopped.",
  },
  "log.level": {
    type: oneOf("debug", "info", "warn", "error"),
    default: "info",
    doc: "The lowest level that is logged.",
  },
};
