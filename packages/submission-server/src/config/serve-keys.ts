import { confType, isApiServerAudience, isDnsLabel, type ConfType } from "@kindling/core-spec";
import { count, port, seconds, type Settings, sizeBytes, text } from "@kindling/settings";
import type { AuthenticationMode, ServeConfig } from "./serve-config.ts";

const { list, oneOf } = confType;

const MODES: readonly AuthenticationMode[] = ["none", "token", "kubernetes", "mtls"];

const modes: ConfType<readonly AuthenticationMode[]> = {
  name: "list",
  parse(written) {
    const names = list.parse(written);
    if (confType.isMisfit(names)) return names;
    const known = names.flatMap((name) => MODES.find((mode) => mode === name) ?? []);
    const isAlone = !known.includes("none") || known.length === 1;
    return known.length === names.length && isAlone
      ? known
      : confType.misfit("none alone, or some of token, kubernetes, mtls");
  },
};

/** The declared schema: file, flags, environment, defaults and help are all read from here, in this order. */
export const SERVE_KEYS: Settings<ServeConfig> = {
  "listen.host": { type: text, default: "127.0.0.1", doc: "Address that the API is served on." },
  "listen.port": { type: port, default: "8080", doc: "Port that the API is served on; 0 takes a free one." },
  "listen.connections": { type: count, default: "1024", doc: "How many connections there may be." },

  "admin.host": { type: text, default: "127.0.0.1", doc: "Address of health checks and metrics." },
  "admin.port": {
    type: port,
    default: "8081",
    doc: "Port of `/healthz`, `/readyz` and `/metrics`, in plain HTTP; 0 takes a free one.",
  },

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
    doc: "How often the files of TLS and `auth.accessFile` are looked at for changes; open connections go on.",
  },
  "tls.plainHttp": {
    type: confType.boolean,
    default: "false",
    doc:
      "Serves without TLS on an address that others reach. For where something before it speaks TLS: whoever listens to the " +
      "wire has the clients' tokens.",
  },

  "auth.modes": {
    type: modes,
    default: "",
    doc:
      "How clients prove who they are, of which any does: `token` and `mtls` (see `auth.accessFile`), `kubernetes` (a token of the " +
      "cluster for `auth.audiences`); or `none`, on a loopback address alone, which is the default there. Must be set elsewhere.",
  },
  "auth.accessFile": {
    type: text,
    default: undefined,
    doc:
      "Who may use which namespaces with `token` or `mtls`, as JSON; read again when it changes. The format is that of the " +
      "staging server.",
  },
  "auth.audiences": {
    type: confType.checked(
      list,
      (audiences) => audiences.length > 0 && !audiences.some(isApiServerAudience),
      "audiences of this service's own",
    ),
    default: "kindling-submission",
    doc:
      "Audiences of which a token must have one, and beside which it may have no other, with `kubernetes`. Never the API server's " +
      "own: whoever takes its tokens could act with them in the cluster.",
  },
  "auth.cache": {
    type: confType.checked(seconds, (value) => value <= 60, "a duration of at most 60s"),
    default: "60s",
    doc: "How long the API server's answers about tokens and rights are believed; at most 60s.",
  },
  "auth.reviews": {
    type: count,
    default: "16",
    doc: "How many tokens that were not known before the API server is asked about at once.",
  },

  "cluster.kubeconfig": {
    type: text,
    default: undefined,
    doc: "Kubeconfig of the cluster; by default that of the pod, or the user's own.",
  },
  "cluster.namespaces": {
    type: confType.checked(list, (names) => names.every(isDnsLabel), "names of namespaces"),
    default: "",
    doc:
      "Namespaces that are served, each with a watch of its own; empty for all, with one watch. A submission that names none goes " +
      "to the first, or to the kubeconfig's.",
  },

  "submit.defaultsFile": {
    type: text,
    default: undefined,
    doc: "A properties file of Spark's keys that submissions begin with. What a submission says itself wins.",
  },
  "submit.deniedKeys": {
    type: list,
    default: "",
    doc: "Further keys that submissions may not set; the end of a key may be `*`.",
  },
  "submit.steps": {
    type: list,
    default: "",
    doc:
      "Contributed steps that run for every submission: npm packages, looked for from the working directory, or paths of modules. " +
      "They run in the service, with its rights; submissions can name none.",
  },

  "limits.submissions": {
    type: count,
    default: "64",
    doc: "How many submissions are under way at once. One more is answered with 503 and `Retry-After`.",
  },
  "limits.submissionsPerSubject": { type: count, default: "48", doc: "How many of them may be of one client." },
  "limits.requestBytes": { type: sizeBytes, default: "1m", doc: "The longest request body." },
  "limits.requestTimeout": { type: seconds, default: "30s", doc: "How long a request may take to arrive." },
  "limits.reports": {
    type: count,
    default: "16",
    doc: "How many applications are diagnosed at once, for each of which the API server is asked several things.",
  },
  "limits.streams": { type: count, default: "256", doc: "How many logs and streams of events are open at once." },
  "limits.streamsPerSubject": { type: count, default: "64", doc: "How many of them may be of one client." },
  "limits.eventsKept": {
    type: count,
    default: "1000",
    doc: "How many changes are kept for clients that come back. Whoever has missed more is told all applications anew.",
  },

  "shutdown.grace": {
    type: seconds,
    default: "20s",
    doc: "How long submissions that are under way may take when the service is told to stop.",
  },
  "log.level": { type: oneOf("debug", "info", "warn", "error"), default: "info", doc: "Least level that is logged." },
};
