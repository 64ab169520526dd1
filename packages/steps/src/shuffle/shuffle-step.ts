import {
  KindlingError,
  SHUFFLE_CONTAINER,
  SHUFFLE_STATUS_PATH,
  SHUFFLE_STATUS_PORT,
  type Container,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import { secondContainerSecurity } from "../pod-security/second-container-security.ts";
import { onExecutor, withSpec, type SparkPod } from "../spark-pod.ts";
import { LOCALIZER_IMAGE, LOCALIZER_IMAGE_PULL_POLICY } from "../staged/localizer-keys.ts";
import {
  SHUFFLE_CORES,
  SHUFFLE_KEYS,
  SHUFFLE_MEMORY,
  SHUFFLE_SERVICE_FETCHES_RDDS,
  SHUFFLE_SERVICE_PORT,
  SHUFFLE_USER,
} from "./shuffle-keys.ts";
import { ENV_AUTH_SECRET } from "../steps/basic/executor-env.ts";
import { LOCAL_DIR_PREFIX } from "../steps/local-dirs.ts";
import { keepsShuffle } from "./shuffle-entries.ts";
import { mountsWith, SHUFFLE_TLS_KEYS, shuffleTls } from "./shuffle-tls.ts";

const LABELS_VOLUME = "kindling-shuffle-labels";
const LABELS_MOUNT = "/etc/kindling-shuffle";
const PROGRAM = "kindling-shuffle-server";
/** Files go through it in pieces, and none is kept in memory. */
const HEAP = "--max-old-space-size=24 --max-semi-space-size=1";

/**
 * Adds a container to executors that serves their shuffle files, also when the executor has ended.
 *
 * It comes before Spark's own container, and its postStart hook waits until it answers: the kubelet starts containers in their
 * order, and waits for the hook of one before it starts the next. An executor that finds no service when it starts fails. A
 * sidecar (an init container with `restartPolicy: Always`) will not do, because the kubelet ends it with the last main container.
 *
 * By a liveness probe, the kubelet asks the service whether the executor may go on. In this way the gateway can end an executor
 * and keep its pod: it sets a label, which the service reads.
 */
export const shuffleServer: Step = {
  name: "shuffle-server",
  keys: [...SHUFFLE_KEYS, ...SHUFFLE_TLS_KEYS, LOCALIZER_IMAGE, LOCALIZER_IMAGE_PULL_POLICY],
  configureExecutor: (spec, { conf, appId }) =>
    keepsShuffle(conf) ? onExecutor(spec, (sparkPod) => withShuffleServer(sparkPod, conf, appId)) : spec,
};

function withShuffleServer({ pod, container }: SparkPod, conf: SparkConf, appId: string): SparkPod {
  if (container.livenessProbe !== undefined) {
    throw new KindlingError(
      "CONF_CONFLICT",
      "spark.kindling.shuffle=keep cannot be combined with a livenessProbe of executors",
      {
        hint: "leave the livenessProbe out of the executors' pod template: Kindling needs it to end an executor and keep its files",
      },
    );
  }
  const labels = {
    name: LABELS_VOLUME,
    downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] },
  };
  const livenessProbe = {
    httpGet: { path: SHUFFLE_STATUS_PATH, port: SHUFFLE_STATUS_PORT },
    periodSeconds: 5,
    timeoutSeconds: 10,
    failureThreshold: 3,
  };
  return {
    pod: withSpec(pod, {
      volumes: [...(pod.spec?.volumes ?? []), labels],
      containers: [server({ pod, container }, conf, appId), ...(pod.spec?.containers ?? [])],
    }),
    container: { ...container, livenessProbe },
  };
}

function server({ pod, container }: SparkPod, conf: SparkConf, appId: string): Container {
  const { env = [], volumeMounts = [] } = container;
  const localDirs = env.find(({ name }) => name === "SPARK_LOCAL_DIRS")?.value ?? "";
  const port = conf.get(SHUFFLE_SERVICE_PORT);
  const memory = `${conf.get(SHUFFLE_MEMORY)}Mi`;
  const tls = shuffleTls(conf);
  return {
    name: SHUFFLE_CONTAINER,
    image: conf.get(LOCALIZER_IMAGE) ?? "",
    imagePullPolicy: conf.get(LOCALIZER_IMAGE_PULL_POLICY),
    command: [PROGRAM],
    env: [
      { name: "NODE_OPTIONS", value: HEAP },
      { name: "KINDLING_SHUFFLE_LOCAL_DIRS", value: localDirs },
      { name: "KINDLING_SHUFFLE_PORT", value: String(port) },
      { name: "KINDLING_SHUFFLE_APPLICATION", value: appId },
      { name: "KINDLING_SHUFFLE_STATUS_PORT", value: String(SHUFFLE_STATUS_PORT) },
      { name: "KINDLING_SHUFFLE_RDD_BLOCKS", value: String(conf.get(SHUFFLE_SERVICE_FETCHES_RDDS)) },
      // Where driver and executors authenticate, the server has to know their secret.
      ...env.filter(({ name }) => name === ENV_AUTH_SECRET),
      ...(tls === undefined
        ? []
        : [
            { name: "KINDLING_SHUFFLE_TLS_CERT_FILE", value: tls.certificateFile },
            { name: "KINDLING_SHUFFLE_TLS_KEY_FILE", value: tls.keyFile },
          ]),
      { name: "KINDLING_SHUFFLE_LABELS_FILE", value: `${LABELS_MOUNT}/labels` },
    ],
    ports: [{ name: "shuffle", containerPort: port, protocol: "TCP" }],
    resources: { requests: { cpu: conf.get(SHUFFLE_CORES), memory }, limits: { memory } },
    volumeMounts: [
      ...volumeMounts.filter(({ name }) => name.startsWith(LOCAL_DIR_PREFIX)),
      ...mountsWith(container, tls).map((mount) => ({ ...mount, readOnly: true })),
      { name: LABELS_VOLUME, mountPath: LABELS_MOUNT, readOnly: true },
    ],
    lifecycle: { postStart: { exec: { command: [PROGRAM, "wait"] } } },
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: secondContainerSecurity({ container, pod }, conf.get(SHUFFLE_USER)),
  };
}
