import { confType, isApiServerAudience, isDnsLabel } from "@kindling/core-spec";
import { count, port, seconds, type Settings, text } from "@kindling/settings";
import { capacityType } from "./capacity-setting.ts";
import type { GatewayConfig } from "./gateway-config.ts";
import { LEADER_KEYS } from "./leader-config.ts";

const { list, oneOf } = confType;

const checkedGrace = confType.checked(seconds, (value) => value >= 1, "a duration of at least 1s");

/** The declared schema: file, flags, environment, defaults and help are all read from here, in this order. */
export const GATEWAY_KEYS: Settings<GatewayConfig> = {
  "listen.host": { type: text, default: "0.0.0.0", doc: "Address that drivers are served on." },
  "listen.port": { type: port, default: "8443", doc: "Port that drivers are served on; 0 takes a free one." },
  "listen.connections": {
    type: count,
    default: "10000",
    doc: "How many connections there may be. A driver has two or three.",
  },

  "admin.host": { type: text, default: "0.0.0.0", doc: "Address of health checks and metrics." },
  "admin.port": {
    type: port,
    default: "8081",
    doc: "Port of `/healthz`, `/readyz` and `/metrics`, in plain HTTP; 0 takes a free one.",
  },
  "admin.page": {
    type: confType.boolean,
    default: "true",
    doc:
      "Whether that port has a page for people as well, and the same as JSON at `/api/overview`. Whoever reaches it reads the names " +
      "and queues of all applications.",
  },

  "tls.certFile": { type: text, default: undefined, doc: "Certificate chain as PEM; required." },
  "tls.keyFile": { type: text, default: undefined, doc: "Private key of the certificate as PEM; required." },
  "tls.caFile": {
    type: text,
    default: undefined,
    doc:
      "Certificates as PEM that drivers are to trust. With it, the gateway keeps them in ConfigMap `kindling-gateway-ca` of each " +
      "namespace in which a driver waits for it.",
  },
  "tls.reloadInterval": {
    type: seconds,
    default: "10s",
    doc: "How often the files of TLS are looked at for changes; open connections go on.",
  },
  "tls.plainHttp": {
    type: confType.boolean,
    default: "false",
    doc: "Serves without TLS. For tests alone: whoever listens to the wire has the drivers' tokens.",
  },

  "auth.audiences": {
    type: confType.checked(
      list,
      (audiences) => audiences.length > 0 && !audiences.some(isApiServerAudience),
      "audiences of the gateway's own",
    ),
    default: "kindling-gateway",
    doc:
      "Audiences of which a driver's token must have one, and beside which it may have no other. Never the API server's " +
      "own: whoever takes its tokens could act with them in the cluster.",
  },
  "auth.cache": {
    type: confType.checked(seconds, (value) => value <= 600, "a duration of at most 10min"),
    default: "60s",
    doc: "How long the API server's answer about a token is believed. A token ends with its pod in any case.",
  },
  "auth.reviews": {
    type: count,
    default: "4",
    doc: "How many tokens of one driver the API server is asked about at once. A driver has one, and sometimes a newer one.",
  },

  "cluster.kubeconfig": {
    type: text,
    default: undefined,
    doc: "Kubeconfig of the cluster; by default that of the pod, or the user's own.",
  },
  "cluster.namespaces": {
    type: confType.checked(list, (names) => names.every(isDnsLabel), "names of namespaces"),
    default: "",
    doc: "Namespaces whose drivers are served, each with a watch of its own; empty for all, with one watch.",
  },

  ...LEADER_KEYS,

  capacity: {
    type: capacityType,
    default: "nodes",
    doc:
      "What there is for drivers and executors: `nodes`, for which the gateway has to see all nodes and pods; amounts such as " +
      "`cpu=64,memory=256Gi`; or `unlimited`.",
  },
  "queues.file": {
    type: text,
    default: undefined,
    doc: "The queues, in YAML. Without it there is one queue, `default`, that all applications are in.",
  },
  "queues.reloadInterval": {
    type: seconds,
    default: "10s",
    doc: "How often the file is looked at for changes. A wrong one is refused, and the queues stay as they were.",
  },
  "queues.preemption": {
    type: confType.boolean,
    default: "true",
    doc: "Whether executors above their application's minimum are asked to leave for the sake of others.",
  },
  "queues.preemptionGrace": {
    type: checkedGrace,
    default: "10min",
    doc: "How long an executor that is asked to leave has for its tasks and for moving its shuffle blocks.",
  },

  "executors.concurrency": { type: count, default: "16", doc: "How many executors are made at once." },
  "executors.perApplication": {
    type: count,
    default: "20000",
    doc: "How many executors an application may have, those that wait included. One more is refused for good.",
  },
  "executors.images": {
    type: list,
    default: "",
    doc:
      "Images that executors may have beside those of their driver's pod, as pods name them; the end of a name may be `*`. " +
      "Empty allows all.",
  },
  "executors.orphanGrace": {
    type: seconds,
    default: "60s",
    doc: "How long executors that the gateway made may outlive their driver, or lack a claim of their own, before it deletes them.",
  },
  "executors.steps": {
    type: list,
    default: "",
    doc:
      "Contributed steps that applications may have run for their executors: npm packages, looked for from the working " +
      "directory, or paths of modules. They run in the gateway, with its rights.",
  },
  "watches.perApplication": {
    type: count,
    default: "16",
    doc: "How many watches an application may have open. Spark opens one or two.",
  },

  "log.level": { type: oneOf("debug", "info", "warn", "error"), default: "info", doc: "Least level that is logged." },
};
