import { confType, isDnsLabel, isServiceAudience } from "@kindling/core-spec";
import type { ListenSettings, LogLevel } from "@kindling/service";
import { adminKeys, count, port, seconds, type Settings, sizeBytes, text } from "@kindling/service/settings";
import { ARCHIVE_KEYS, type ArchiveSettings } from "../archive/archive-settings.ts";
import { LEADER_KEYS, type LeaderConfig } from "./leader-keys.ts";
import { type RetentionRules, retentionRules } from "./retention-rules.ts";

export type AuthenticationMode = "none" | "kubernetes";

/** All settings of the recorder, read and checked. Sizes are bytes, durations seconds. */
export interface RecorderConfig extends ListenSettings, ArchiveSettings, LeaderConfig {
  readonly "listen.connections": number;
  readonly "tls.certFile": string | undefined;
  readonly "tls.keyFile": string | undefined;
  readonly "tls.reloadInterval": number;
  readonly "auth.mode": AuthenticationMode | undefined;
  readonly "auth.audiences": readonly string[];
  readonly "auth.cache": number;
  readonly "auth.reviews": number;
  readonly "cluster.kubeconfig": string | undefined;
  readonly "cluster.namespaces": readonly string[];
  readonly "spool.path": string;
  readonly "spool.size": number | undefined;
  readonly "spool.handOver": boolean;
  readonly "logs.partSize": number;
  readonly "logs.parts": number;
  readonly "logs.tailInterval": number;
  readonly "logs.tailsPerSecond": number;
  readonly "logs.readsAtOnce": number;
  readonly "eventLogs.size": number;
  readonly "retention.age": number;
  readonly "retention.size": number | undefined;
  readonly "retention.namespaces": RetentionRules;
  readonly "retention.interval": number;
  readonly "limits.failedReviews": number;
  readonly "limits.streams": number;
  readonly "metrics.teamLabel": string;
  readonly "metrics.teams": number;
  readonly "log.level": LogLevel;
}

const { checked, list, oneOf } = confType;

/** Less would be full all the time. */
const LEAST_SPOOL_BYTES = 64 * 1024 * 1024;

/** The declared schema: file, flags, environment, defaults and help are all read from here, in this order. */
export const RECORDER_KEYS: Settings<RecorderConfig> = {
  "listen.host": { type: text, default: "127.0.0.1", doc: "Address at which the archive can be read." },
  "listen.port": { type: port, default: "8080", doc: "Port at which the archive can be read; 0 takes a free one." },
  "listen.connections": { type: count, default: "512", doc: "Most connections at once." },

  ...adminKeys("127.0.0.1", "8081"),

  "tls.certFile": { type: text, default: undefined, doc: "Certificate chain as PEM." },
  "tls.keyFile": { type: text, default: undefined, doc: "Private key of the certificate as PEM." },
  "tls.reloadInterval": {
    type: seconds,
    default: "10s",
    doc: "How often the TLS files are checked for changes. Open connections go on.",
  },

  "auth.mode": {
    type: oneOf<AuthenticationMode>("none", "kubernetes"),
    default: undefined,
    doc:
      "How readers prove who they are: `kubernetes` takes a token of the cluster for `auth.audiences`, and lets its user read " +
      "what is kept of a namespace if the user may read the logs of its pods. `none` is for a loopback address only, and is " +
      "the default there. Must be set on any other address.",
  },
  "auth.audiences": {
    type: checked(
      list,
      (audiences) => audiences.length > 0 && audiences.every(isServiceAudience),
      "audiences of this service's own",
    ),
    default: "kindling-recorder",
    doc: "The audiences that are accepted. A token must have at least one of them, and no other.",
  },
  "auth.cache": {
    type: checked(seconds, (value) => value <= 60, "a duration of at most 60s"),
    default: "60s",
    doc: "How long the API server's answers about tokens and rights are cached; at most 60s.",
  },
  "auth.reviews": { type: count, default: "16", doc: "How many tokens the API server is asked about at once." },

  "cluster.kubeconfig": {
    type: text,
    default: undefined,
    doc: "Kubeconfig of the cluster; by default that of the pod, or the user's own.",
  },
  "cluster.namespaces": {
    type: checked(list, (names) => names.every(isDnsLabel), "names of namespaces"),
    default: "",
    doc: "Namespaces whose applications are recorded. Each has a watch of its own. Empty: all, with one watch.",
  },

  ...ARCHIVE_KEYS,

  "spool.path": {
    type: text,
    default: "/var/lib/kindling-recorder/spool",
    doc:
      "Folder of this machine for logs that are not in the archive yet. If it is lost, so are the lines that the cluster " +
      "no longer has.",
  },

  "spool.size": {
    type: checked(sizeBytes, (bytes) => bytes >= LEAST_SPOOL_BYTES, "a size of at least 64m"),
    default: undefined,
    doc:
      "How much may be in this folder. When it is full, because the archive takes nothing, the rest of the logs stays in the " +
      "cluster, and event logs stay on the disks of their drivers' pods, until there is room again. A log says if its pod was " +
      "gone before. Unset: no limit.",
  },

  "spool.handOver": {
    type: confType.boolean,
    default: "false",
    doc:
      "Whether the archive gets a copy of what is in this folder: for a folder that goes with its pod. At its end, a recorder " +
      "copies everything, and the next one goes on with it. One that is killed has copied which pods its applications had, up " +
      "to ten seconds before.",
  },

  ...LEADER_KEYS,

  "logs.partSize": {
    type: sizeBytes,
    default: "8m",
    doc: "Logs are stored in parts of this size, before compression.",
  },
  "logs.parts": {
    type: checked(count, (value) => value >= 2, "a whole number above 1"),
    default: "32",
    doc: "How many parts of one log are kept: a quarter of them its first ones, and the others its last ones.",
  },
  "logs.tailInterval": {
    type: checked(seconds, (value) => value >= 1, "a duration of at least 1s"),
    default: "15s",
    doc: "How often the log of a running executor is read. If its node vanishes, what came later is lost.",
  },
  "logs.tailsPerSecond": {
    type: count,
    default: "50",
    doc: "How many logs of executors are read in a second at most.",
  },
  "logs.readsAtOnce": {
    type: count,
    default: "64",
    doc: "How many logs of executors are read at the same time. As many again are followed while their pods are being deleted.",
  },

  "eventLogs.size": {
    type: sizeBytes,
    default: "2g",
    doc: "How large the event logs of one application may be. A larger one is kept up to this size.",
  },

  "retention.age": {
    type: seconds,
    default: "30d",
    doc: "How long an application is kept after its end. 0: for ever.",
  },
  "retention.size": {
    type: sizeBytes,
    default: undefined,
    doc: "How much the applications of one namespace may take together. The oldest ones go. Unset: no limit.",
  },
  "retention.namespaces": {
    type: retentionRules,
    default: "",
    doc: "Namespaces with limits of their own, such as `etl=90d,trial=2d/10g`.",
  },
  "retention.interval": {
    type: checked(seconds, (value) => value >= 1, "a duration of at least 1s"),
    default: "1h",
    doc: "How often is looked for applications that are kept no longer.",
  },

  "limits.failedReviews": {
    type: count,
    default: "5",
    doc: "How many tokens from one address the API server may refuse in a second; ten times as many from all addresses.",
  },
  "limits.streams": { type: count, default: "64", doc: "How many logs may be sent at the same time." },

  "metrics.teamLabel": {
    type: text,
    default: "team",
    doc: "The label of driver pods whose value is the label `team` of the metrics of usage.",
  },
  "metrics.teams": {
    type: count,
    default: "100",
    doc: "How many teams these metrics tell apart. The others are counted together, as `other`.",
  },

  "log.level": {
    type: oneOf<LogLevel>("debug", "info", "warn", "error"),
    default: "info",
    doc: "The lowest level that is logged.",
  },
};
