import { confType, isApiServerAudience, isDnsLabel } from "@kindling/core-spec";
import {
  adminKeys,
  AUDIT_KEYS,
  type AuditSettings,
  count,
  port,
  seconds,
  type Settings,
  text,
} from "@kindling/service/settings";
import type { LogLevel } from "@kindling/service";
import { OIDC_KEYS, type OidcSettings } from "@kindling/oidc/settings";
import { type CapacitySetting, capacityType } from "./capacity-setting.ts";
import { KERBEROS_KEYS, type KerberosConfig } from "./kerberos-config.ts";
import { LEADER_KEYS, type LeaderConfig } from "./leader-config.ts";
import { LIMIT_KEYS, type LimitConfig } from "./limit-config.ts";
import { OBJECT_LIMIT_KEYS, type ObjectLimits } from "./object-limits.ts";
import { PAGE_KEYS, type PageSettings } from "./page-keys.ts";
import { RECORDER_KEYS, type RecorderSettings } from "./recorder-keys.ts";

/** All settings of a gateway, read and checked. Durations are seconds. */
export interface GatewayConfig
  extends
    KerberosConfig,
    LeaderConfig,
    LimitConfig,
    ObjectLimits,
    AuditSettings,
    OidcSettings,
    PageSettings,
    RecorderSettings {
  readonly "listen.host": string;
  readonly "listen.port": number;
  /** Undefined: as many as there is memory for. */
  readonly "listen.connections": number | undefined;
  readonly "admin.host": string;
  readonly "admin.port": number;
  readonly "admin.page": boolean;
  readonly "admin.hosts": readonly string[];

  readonly "tls.certFile": string | undefined;
  readonly "tls.keyFile": string | undefined;
  readonly "tls.caFile": string | undefined;
  readonly "tls.reloadInterval": number;
  readonly "tls.plainHttp": boolean;

  readonly "auth.audiences": readonly string[];
  readonly "auth.cache": number;
  readonly "auth.reviews": number;

  readonly "cluster.kubeconfig": string | undefined;
  readonly "cluster.namespaces": readonly string[];

  readonly capacity: CapacitySetting;
  readonly "capacity.nodeTimeout": number;
  readonly "kueue.enabled": boolean;
  readonly "queues.file": string | undefined;
  readonly "queues.reloadInterval": number;
  readonly "queues.keptIn": string | undefined;
  readonly "queues.promise": number;
  readonly "queues.preemption": boolean;
  readonly "queues.preemptionGrace": number;

  readonly "executors.concurrency": number;
  readonly "executors.perApplication": number;
  readonly "executors.images": readonly string[];
  readonly "executors.orphanGrace": number;
  readonly "executors.steps": readonly string[];
  readonly "keepers.perQueue": number;
  readonly "keepers.giveWayAfter": number;
  readonly "keepers.nodeTimeout": number;
  readonly "watches.perApplication": number;

  readonly "log.level": LogLevel;
}

export type GatewayKeyName = keyof GatewayConfig;

const { list, oneOf } = confType;

const checkedGrace = confType.checked(seconds, (value) => value >= 1, "a duration of at least 1s");

/** The declared schema: file, flags, environment, defaults and help are all read from here, in this order. */
export const GATEWAY_KEYS: Settings<GatewayConfig> = {
  "listen.host": { type: text, default: "0.0.0.0", doc: "Address that drivers are served on." },
  "listen.port": { type: port, default: "8443", doc: "Port that drivers are served on; 0 takes a free one." },
  "listen.connections": {
    type: count,
    default: undefined,
    doc:
      "Most connections at once. A driver has two or three. When all are taken, one is closed to make room for a new one: " +
      "rather that of a stranger than that of a driver, rather an idle one than a busy one, and rather one of the client " +
      "that has most. A driver that has at most four keeps its watches. Unset: 10,000, or as many as a container has memory for beside the heap: 567 with 256 MiB, 1,915 with 1 GiB.",
  },

  ...adminKeys("0.0.0.0", "8081"),
  "admin.page": {
    type: confType.boolean,
    default: "true",
    doc:
      "Whether that port also has a page for people, and the same as JSON at `/api/overview`. Whoever reaches the " +
      "port can read the names and queues of all applications.",
  },
  "admin.hosts": {
    type: list,
    default: "",
    doc:
      "Further names by which the page is reached, such as that of an ingress; `*.example.com` stands for all names below " +
      "it, `*` for all names. Addresses, `localhost`, the names of services and those in the API server's certificate are " +
      "known. Any other name is refused, because it may be that of a web page that wants to read this one.",
  },

  ...PAGE_KEYS,
  ...OIDC_KEYS,

  "tls.certFile": { type: text, default: undefined, doc: "Certificate chain as PEM; required." },
  "tls.keyFile": { type: text, default: undefined, doc: "Private key of the certificate as PEM; required." },
  "tls.caFile": {
    type: text,
    default: undefined,
    doc:
      "Certificates as PEM that drivers have to trust. If set, the gateway keeps them in a ConfigMap " +
      "`kindling-gateway-ca` in each namespace in which a driver waits for it.",
  },
  "tls.reloadInterval": {
    type: seconds,
    default: "10s",
    doc: "How often the TLS files are checked for changes. Open connections go on.",
  },
  "tls.plainHttp": {
    type: confType.boolean,
    default: "false",
    doc: "Serves without TLS. Only for tests: whoever can read the network traffic gets the drivers' tokens.",
  },

  "auth.audiences": {
    type: confType.checked(
      list,
      (audiences) => audiences.length > 0 && !audiences.some(isApiServerAudience),
      "audiences of the gateway's own",
    ),
    default: "kindling-gateway",
    doc:
      "The audiences that the gateway accepts. A driver's token must have at least one of them, and no other " +
      "audience. Never name the API server's own audience here: whoever gets a token for it can act in the cluster.",
  },
  "auth.cache": {
    type: confType.checked(seconds, (value) => value <= 600, "a duration of at most 10min"),
    default: "60s",
    doc: "How long the API server's answer about a token is cached. A token always ends with its pod.",
  },
  "auth.reviews": {
    type: count,
    default: "4",
    doc:
      "How many tokens of one driver the gateway remembers, and asks the API server about at once if there is " +
      "other evidence for them. A driver has one, and sometimes a newer one.",
  },

  ...LIMIT_KEYS,

  "cluster.kubeconfig": {
    type: text,
    default: undefined,
    doc: "Kubeconfig of the cluster; by default that of the pod, or the user's own.",
  },
  "cluster.namespaces": {
    type: confType.checked(list, (names) => names.every(isDnsLabel), "names of namespaces"),
    default: "",
    doc: "Namespaces whose drivers are served. Each has a watch of its own. Empty: all namespaces, with one watch.",
  },

  ...LEADER_KEYS,

  capacity: {
    type: capacityType,
    default: "auto",
    doc:
      "How much there is for drivers and executors: `auto` (the nodes, and what Karpenter, the cluster-autoscaler or the " +
      "classes of `queues.file` may still add), `nodes` (only the nodes that are there), `kueue` (the quotas of Kueue: all " +
      "applications wait in its LocalQueues), amounts such as `cpu=64,memory=256Gi`, or `unlimited`. For the first two the " +
      "gateway must be allowed to see all nodes and pods.",
  },
  "capacity.nodeTimeout": {
    type: confType.checked(seconds, (value) => value >= 1, "a duration of at least 1s"),
    default: "10min",
    doc:
      "How long an executor may wait for a node with `capacity: auto`. After that its pod is deleted, its driver asks for " +
      "another, and for a time no node is expected for such executors.",
  },
  "kueue.enabled": {
    type: confType.boolean,
    default: "false",
    doc:
      "Whether applications may wait in a LocalQueue of Kueue (`spark.kindling.scheduler.queue=kueue:NAME`, or Kueue's label " +
      "on the driver), beside others that wait in the gateway's own queues. With `capacity: kueue` all do.",
  },
  "queues.file": {
    type: text,
    default: undefined,
    doc: "A file with the queues, in YAML. If unset, all applications are in one queue, `default`.",
  },
  "queues.reloadInterval": {
    type: seconds,
    default: "10s",
    doc: "How often the file is checked for changes. A wrong file is refused, and the queues stay as they were.",
  },
  "queues.keptIn": {
    type: text,
    default: undefined,
    doc:
      "A ConfigMap in the namespace of the Lease in which the gateway keeps the last valid file. A gateway " +
      "that starts with a wrong file uses that one, or else the queues of the wrong file that have no faults.",
  },
  "queues.promise": {
    type: confType.checked(seconds, (value) => value >= 1, "a duration of at least 1s"),
    default: "60s",
    doc:
      "How long room is kept for the minimum executors of a driver that runs and does not ask for them. For one that " +
      "has asked the gateway for anything it is a quarter of that, from its last request for an executor on. An " +
      "account whose drivers did not ask before has half of that each time.",
  },
  "queues.preemption": {
    type: confType.boolean,
    default: "true",
    doc:
      "Whether the gateway asks executors above the floor of their queue to leave, and deletes some for guarantees, to make " +
      "room for other applications. Each queue can say more with floor and preemption.",
  },
  "queues.preemptionGrace": {
    type: checkedGrace,
    default: "10min",
    doc: "How long an executor that is asked to leave may take to finish its tasks and to move its shuffle blocks.",
  },

  "executors.concurrency": { type: count, default: "16", doc: "How many executors are made at once." },
  "executors.perApplication": {
    type: count,
    default: "20000",
    doc: "How many executors an application may have, including those that wait. More are refused for good.",
  },
  "executors.images": {
    type: list,
    default: "",
    doc:
      "Images that executors may have besides those of their driver's pod, written as in a pod. A name may end in " +
      "`*`. Empty allows all images.",
  },
  "executors.orphanGrace": {
    type: seconds,
    default: "60s",
    doc:
      "After how long the gateway deletes executors that it has made, if their driver is gone or a claim of their " +
      "own is missing.",
  },
  "executors.steps": {
    type: list,
    default: "",
    doc:
      "Contributed steps that applications may use for their executors: npm packages, which are looked for from the " +
      "working directory, or paths of modules. The steps run in the gateway, with its rights.",
  },
  "keepers.perQueue": {
    type: count,
    default: "10000",
    doc:
      "How many keepers a queue may have: pods of ended executors that stay for their shuffle files " +
      "(`spark.kindling.shuffle=keep`). If there are more, the oldest are deleted, and Spark computes their files again.",
  },
  "keepers.giveWayAfter": {
    type: seconds,
    default: "30s",
    doc:
      "How long applications of a queue lack room that keepers of the same queue hold, such as room on disks, before the " +
      "oldest of these keepers are deleted.",
  },
  "keepers.nodeTimeout": {
    type: seconds,
    default: "10min",
    doc:
      "How long a keeper stops an autoscaler from taking its node away. After that the annotations that protect the " +
      "pod are removed.",
  },
  "watches.perApplication": {
    type: count,
    default: "16",
    doc: "How many watches an application may have open. Spark opens one or two.",
  },

  ...OBJECT_LIMIT_KEYS,

  ...RECORDER_KEYS,

  ...KERBEROS_KEYS,

  ...AUDIT_KEYS,

  "log.level": {
    type: oneOf("debug", "info", "warn", "error"),
    default: "info",
    doc: "The lowest level that is logged.",
  },
};
