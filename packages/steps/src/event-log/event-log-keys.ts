import {
  confKey,
  confType,
  type ConfKey,
  isDnsSubdomain,
  isServiceAudience,
  optionalConfKey,
} from "@kindling/core-spec";

/** The keys for event logs that a recorder keeps. */

const { bytes, checked, oneOf, text } = confType;

export const EVENT_LOG: ConfKey<"native" | "record"> = confKey({
  key: "spark.kindling.eventLog",
  type: oneOf("native", "record"),
  default: "native",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Where the event log of an application goes. native: as Spark's own keys say. record: the driver writes it into a folder of its pod, and a small second container brings it to the recorder. Applications with spark.eventLog.dir or spark.eventLog.enabled=false of their own are left alone. Needs spark.kindling.eventLog.uri and spark.kindling.localizer.image.",
});

export const EVENT_LOG_URI: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.eventLog.uri",
  type: checked(text, (uri) => URL.canParse(uri) && new URL(uri).protocol === "https:", "an https URI"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "With spark.kindling.eventLog=record: the URI at which pods reach the recorder.",
});

export const EVENT_LOG_AUDIENCE: ConfKey<string> = confKey({
  key: "spark.kindling.eventLog.audience",
  type: checked(text, isServiceAudience, "a name without blanks and commas that is not the API server's own"),
  default: "kindling-recorder",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The audience of the token with which the second container shows the recorder whose event log it brings. Nobody else accepts this token.",
});

export const EVENT_LOG_CA_MAP: ConfKey<string> = confKey({
  key: "spark.kindling.eventLog.caConfigMap",
  type: checked(text, isDnsSubdomain, "the name of a ConfigMap"),
  default: "kindling",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "A ConfigMap of the application's namespace whose entry ca.crt has the certificates that the recorder's certificate is signed by. The chart makes it. Without the entry, the authorities of the image count.",
});

export const EVENT_LOG_MEMORY: ConfKey<number> = confKey({
  key: "spark.kindling.eventLog.memory",
  type: checked(bytes("m"), (mebibytes) => mebibytes >= 64, "at least 64m"),
  default: "96m",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "With spark.kindling.eventLog=record: the memory of the second container.",
});

export const EVENT_LOG_CORES: ConfKey<string> = confKey({
  key: "spark.kindling.eventLog.cores",
  type: text,
  default: "10m",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "With spark.kindling.eventLog=record: the CPU request of the second container, as a Kubernetes quantity. It has no CPU limit.",
});

export const EVENT_LOG_USER: ConfKey<string> = confKey({
  key: "spark.kindling.eventLog.runAsUser",
  type: checked(text, (user) => /^\d{1,10}$/.test(user) || user === "none", "the number of a user, or none"),
  default: "185",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "With spark.kindling.eventLog=record: the user of the second container, if neither the driver's container nor its pod names a user. It must be the user of the driver's image, because only that user can read the files; 185 is the user of Spark's own images. none: it is not set, for clusters that choose the user of every container, such as OpenShift.",
});

function sparks(name: string, since: string, doc: string): ConfKey<string | undefined> {
  return optionalConfKey({ key: `spark.eventLog.${name}`, type: text, since, readBy: ["submit", "driver"], doc });
}

/** Spark's own keys (org.apache.spark.internal.config, `EVENT_LOG_*`). */
export const SPARK_EVENT_LOG_ENABLED: ConfKey<string | undefined> = sparks(
  "enabled",
  "1.0.0",
  "Whether the application writes an event log.",
);
export const SPARK_EVENT_LOG_DIR: ConfKey<string | undefined> = sparks(
  "dir",
  "1.0.0",
  "The folder that event logs are written into, as a URI.",
);
export const SPARK_EVENT_LOG_COMPRESS: ConfKey<string | undefined> = sparks(
  "compress",
  "1.0.0",
  "Whether event logs are compressed.",
);
export const SPARK_EVENT_LOG_ROLLING: ConfKey<string | undefined> = sparks(
  "rolling.enabled",
  "3.0.0",
  "Whether an event log has several files, one after the other.",
);
export const SPARK_EVENT_LOG_FILE_SIZE: ConfKey<string | undefined> = sparks(
  "rolling.maxFileSize",
  "3.0.0",
  "How large a file of an event log becomes before the next one begins.",
);

export const SPARK_REDACTION_REGEX: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.redaction.regex",
  type: text,
  since: "2.1.2",
  readBy: ["submit", "driver"],
  doc: "Keys and values that this pattern is found in have their value hidden, in event logs, in Spark's web UI and by kindling. With spark.kindling.eventLog=record, the default is wider than Spark's own: it also hides keys of accounts and APIs, shared access signatures, passphrases, credentials, and passwords in JDBC URLs.",
});

export const EVENT_LOG_KEYS: readonly ConfKey<unknown>[] = [
  EVENT_LOG,
  EVENT_LOG_URI,
  EVENT_LOG_AUDIENCE,
  EVENT_LOG_CA_MAP,
  EVENT_LOG_MEMORY,
  EVENT_LOG_CORES,
  EVENT_LOG_USER,
  SPARK_EVENT_LOG_ENABLED,
  SPARK_EVENT_LOG_DIR,
  SPARK_EVENT_LOG_COMPRESS,
  SPARK_EVENT_LOG_ROLLING,
  SPARK_EVENT_LOG_FILE_SIZE,
  SPARK_REDACTION_REGEX,
];
