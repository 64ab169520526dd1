import {
  EVENT_LOG_CONTAINER,
  KindlingError,
  type Container,
  type KubernetesDriverSpec,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import { secondContainerSecurity } from "../pod-security/second-container-security.ts";
import { add, onDriver, withSparkConf, withSpec, type SparkPod } from "../spark-pod.ts";
import { LOCALIZER_IMAGE, LOCALIZER_IMAGE_PULL_POLICY } from "../staged/localizer-keys.ts";
import {
  EVENT_LOG,
  EVENT_LOG_AUDIENCE,
  EVENT_LOG_CA_MAP,
  EVENT_LOG_CORES,
  EVENT_LOG_KEYS,
  EVENT_LOG_MEMORY,
  EVENT_LOG_URI,
  EVENT_LOG_USER,
  SPARK_EVENT_LOG_COMPRESS,
  SPARK_EVENT_LOG_DIR,
  SPARK_EVENT_LOG_ENABLED,
  SPARK_EVENT_LOG_FILE_SIZE,
  SPARK_EVENT_LOG_ROLLING,
  SPARK_REDACTION_REGEX,
} from "./event-log-keys.ts";
import { EVENT_LOG_REDACTION } from "./redaction.ts";

const LOG_VOLUME = "kindling-event-log";
const LOG_MOUNT = "/var/log/kindling/event-log";
const ACCESS_VOLUME = "kindling-event-log-access";
const ACCESS_MOUNT = "/var/run/secrets/kindling/event-log";
const PROGRAM = "kindling-event-log-shipper";
const TOKEN_SECONDS = 3600;
const HEAP = "--max-old-space-size=24 --max-semi-space-size=1";

/**
 * What Spark writes into that folder (org.apache.spark.internal.config, `EVENT_LOG_*`): compressed, in files of a size that can be
 * shipped one after the other, and without secrets. The application's own values win.
 */
const ENTRIES = [
  [SPARK_EVENT_LOG_ENABLED.key, "true"],
  [SPARK_EVENT_LOG_DIR.key, `file:${LOG_MOUNT}`],
  [SPARK_EVENT_LOG_ROLLING.key, "true"],
  [SPARK_EVENT_LOG_FILE_SIZE.key, "32m"],
  [SPARK_EVENT_LOG_COMPRESS.key, "true"],
  [SPARK_REDACTION_REGEX.key, EVENT_LOG_REDACTION],
] as const;

/**
 * Lets the driver write its event log into a folder of its pod, and adds a container that brings it to the recorder. The
 * container comes after Spark's own, so the driver starts as soon as without it. It outlives the driver, and ends by itself when
 * the recorder has the whole log.
 */
export const recordedEventLog: Step = {
  name: "event-log",
  keys: [...EVENT_LOG_KEYS, LOCALIZER_IMAGE, LOCALIZER_IMAGE_PULL_POLICY],
  configureDriver: (spec, { conf }) => (recordsEventLog(conf) ? withEventLog(spec, conf) : spec),
};

/** Whether the application's event log goes to the recorder: an application with one of its own is left alone. */
export function recordsEventLog(conf: SparkConf): boolean {
  if (conf.get(EVENT_LOG) !== "record") return false;
  return conf.get(SPARK_EVENT_LOG_DIR) === undefined && conf.get(SPARK_EVENT_LOG_ENABLED) !== "false";
}

function withEventLog(spec: KubernetesDriverSpec, conf: SparkConf): KubernetesDriverSpec {
  const uri = conf.get(EVENT_LOG_URI);
  const image = conf.get(LOCALIZER_IMAGE);
  const missing = uri === undefined ? EVENT_LOG_URI : LOCALIZER_IMAGE;
  if (uri === undefined || image === undefined) {
    throw new KindlingError("CONF_MISSING", `${missing.key} is not set, and ${EVENT_LOG.key}=record needs it`, {
      hint: `set it, or leave out ${EVENT_LOG.key}; kindling config --effective shows what is set`,
    });
  }
  const entries = ENTRIES.filter(([key]) => conf.raw(key) === undefined);
  const written = withSparkConf(spec, Object.fromEntries(entries));
  return onDriver(written, (sparkPod) => withShipper(sparkPod, { conf, uri, image }));
}

interface Shipped {
  readonly conf: SparkConf;
  readonly uri: string;
  readonly image: string;
}

function withShipper(sparkPod: SparkPod, shipped: Shipped): SparkPod {
  const { conf } = shipped;
  const { pod, container } = add(sparkPod, {
    volumeMounts: [{ name: LOG_VOLUME, mountPath: LOG_MOUNT }],
    volumes: [
      { name: LOG_VOLUME, emptyDir: {} },
      {
        name: ACCESS_VOLUME,
        projected: {
          sources: [
            {
              serviceAccountToken: {
                audience: conf.get(EVENT_LOG_AUDIENCE),
                expirationSeconds: TOKEN_SECONDS,
                path: "token",
              },
            },
            {
              configMap: {
                name: conf.get(EVENT_LOG_CA_MAP),
                items: [{ key: "ca.crt", path: "ca.crt" }],
                optional: true,
              },
            },
          ],
        },
      },
    ],
  });
  const containers = [...(pod.spec?.containers ?? []), shipper({ pod, container }, shipped)];
  return { pod: withSpec(pod, { containers }), container };
}

function shipper({ pod, container }: SparkPod, { conf, uri, image }: Shipped): Container {
  const memory = `${conf.get(EVENT_LOG_MEMORY)}Mi`;
  return {
    name: EVENT_LOG_CONTAINER,
    image,
    imagePullPolicy: conf.get(LOCALIZER_IMAGE_PULL_POLICY),
    command: [PROGRAM],
    env: [
      { name: "NODE_OPTIONS", value: HEAP },
      { name: "KINDLING_EVENT_LOG_FOLDER", value: LOG_MOUNT },
      { name: "KINDLING_EVENT_LOG_URI", value: uri },
      { name: "KINDLING_EVENT_LOG_TOKEN_FILE", value: `${ACCESS_MOUNT}/token` },
      { name: "KINDLING_EVENT_LOG_CA_FILE", value: `${ACCESS_MOUNT}/ca.crt` },
    ],
    resources: { requests: { cpu: conf.get(EVENT_LOG_CORES), memory }, limits: { memory } },
    volumeMounts: [
      { name: LOG_VOLUME, mountPath: LOG_MOUNT },
      { name: ACCESS_VOLUME, mountPath: ACCESS_MOUNT, readOnly: true },
    ],
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: secondContainerSecurity({ container, pod }, conf.get(EVENT_LOG_USER)),
  };
}
