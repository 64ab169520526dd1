import type { Job } from "kubernetes-types/batch/v1.js";
import type { Container, SecurityContext, Volume } from "kubernetes-types/core/v1.js";

/** How long a history server stays when nobody looks at it. */
export const IDLE_SECONDS = 900;
export const HISTORY_PORT = 18_080;
export const HISTORY_CONTAINER = "history-server";

const LOGS = "/var/log/kindling/event-logs";
const ACCESS = "/var/run/secrets/kindling/recorder";
const TOKEN_SECONDS = 3600;
const OVERHEAD_MEBIBYTES = 512;
const LOCAL = "127.0.0.1";
/** The variable with the address of the pod. */
const POD_ADDRESS = "KINDLING_POD_IP";
/** After its end, it can be seen for so long why it has ended. */
const SEEN_SECONDS = 20;
/** Nobody keeps it open for longer. */
const MOST_SECONDS = 12 * 3600;

export interface HistoryServerOptions {
  readonly name: string;
  /** The run whose event log it shows. */
  readonly uid: string;
  /** The application's own image, which has the same version of Spark. */
  readonly image: string;
  /** The image with the command that brings the event log. */
  readonly localizerImage: string;
  readonly pullPolicy: string;
  /** The URI at which pods reach the recorder. */
  readonly recorder: string;
  readonly audience: string;
  readonly caConfigMap: string;
  /** An account that may read what is kept of this namespace. */
  readonly serviceAccount: string;
  /** The user of both containers; `undefined` for the images' own. */
  readonly user: number | undefined;
  /** What its JVM may have as heap. Large event logs need more. */
  readonly heapMebibytes: number;
  /** Secrets of the namespace that its images are pulled with. */
  readonly pullSecrets: readonly string[];
}

/**
 * A Job with Spark's own history server (org.apache.spark.deploy.history.HistoryServer) for the event log of one run. It ends when
 * nobody has been connected to it for a while, and Kubernetes deletes it then.
 */
export function historyServerJob(
  options: HistoryServerOptions,
): Job & { readonly metadata: { readonly name: string } } {
  const { name, serviceAccount, user, pullSecrets } = options;
  const labels = { "app.kubernetes.io/name": "kindling-application-ui", "app.kubernetes.io/part-of": "kindling" };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, labels },
    spec: {
      backoffLimit: 0,
      ttlSecondsAfterFinished: SEEN_SECONDS,
      activeDeadlineSeconds: MOST_SECONDS,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: "Never",
          serviceAccountName: serviceAccount,
          automountServiceAccountToken: false,
          imagePullSecrets: pullSecrets.map((secret) => ({ name: secret })),
          ...(user !== undefined && { securityContext: { runAsUser: user, fsGroup: user } }),
          initContainers: [bringsEventLog(options)],
          containers: [historyServer(options)],
          volumes: [{ name: "event-logs", emptyDir: {} }, accessVolume(options)],
        },
      },
    },
  };
}

function securityContext({ user }: HistoryServerOptions): SecurityContext {
  return {
    allowPrivilegeEscalation: false,
    // In kindling dev, containers are processes of the user who has started it.
    runAsNonRoot: user !== 0,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  };
}

function bringsEventLog(options: HistoryServerOptions): Container {
  return {
    name: "event-log",
    image: options.localizerImage,
    imagePullPolicy: options.pullPolicy,
    command: ["kindling-event-log-mirror"],
    env: environmentOf(options),
    resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "128Mi" } },
    volumeMounts: [
      { name: "event-logs", mountPath: LOGS },
      { name: "access", mountPath: ACCESS, readOnly: true },
    ],
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: { ...securityContext(options), readOnlyRootFilesystem: true },
  };
}

function historyServer(options: HistoryServerOptions): Container {
  const { image, heapMebibytes } = options;
  const memory = `${heapMebibytes + OVERHEAD_MEBIBYTES}Mi`;
  return {
    name: HISTORY_CONTAINER,
    image,
    // Not as command: the entry point of Spark's images gives the user a name, and then runs this.
    args: ["bash", "-c", SCRIPT],
    env: [
      { name: "SPARK_HISTORY_OPTS", value: HISTORY_OPTIONS },
      { name: "SPARK_DAEMON_MEMORY", value: `${heapMebibytes}m` },
      { name: POD_ADDRESS, valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
      { name: "SPARK_NO_DAEMONIZE", value: "true" },
    ],
    ports: [{ name: "ui", containerPort: HISTORY_PORT }],
    readinessProbe: { exec: { command: ["bash", "-c", ANSWERS] }, periodSeconds: 1, failureThreshold: 120 },
    resources: { requests: { cpu: "200m", memory }, limits: { memory } },
    volumeMounts: [{ name: "event-logs", mountPath: LOGS }],
    securityContext: securityContext(options),
  };
}

function accessVolume({ audience, caConfigMap }: HistoryServerOptions): Volume {
  const certificates = { name: caConfigMap, items: [{ key: "ca.crt", path: "ca.crt" }], optional: true };
  return {
    name: "access",
    projected: {
      sources: [
        { serviceAccountToken: { audience, expirationSeconds: TOKEN_SECONDS, path: "token" } },
        { configMap: certificates },
      ],
    },
  };
}

function environmentOf({ recorder, uid }: HistoryServerOptions): { name: string; value: string }[] {
  return [
    { name: "KINDLING_EVENT_LOG_URI", value: recorder },
    { name: "KINDLING_EVENT_LOG_RUN", value: uid },
    { name: "KINDLING_EVENT_LOG_FOLDER", value: LOGS },
    { name: "KINDLING_EVENT_LOG_TOKEN_FILE", value: `${ACCESS}/token` },
    { name: "KINDLING_EVENT_LOG_CA_FILE", value: `${ACCESS}/ca.crt` },
  ];
}

const HISTORY_OPTIONS = [
  `-Dspark.history.fs.logDirectory=file:${LOGS}`,
  `-Dspark.history.ui.port=${HISTORY_PORT}`,
  // An unfinished log of a killed driver is shown as well, and nothing is deleted.
  "-Dspark.history.fs.cleaner.enabled=false",
].join(" ");

/**
 * It asks nobody who he is, so it listens where only a forwarded port reaches it. In a cluster whose pods are processes of one
 * machine (kindling dev), pods share 127.0.0.1, but each has a loopback address of its own.
 */
const OWN_LOOPBACK = `case "$${POD_ADDRESS}" in 127.*) own=$${POD_ADDRESS} ;; *) own=${LOCAL} ;; esac`;

const ANSWERS = `${OWN_LOOPBACK}; exec 3<>/dev/tcp/$own/${HISTORY_PORT}`;

/**
 * In /proc/net/tcp, a connection that is open has the state 01. Addresses and ports are hexadecimal, and an address begins with
 * its last byte (proc_net(5), little-endian machines). Jetty ends idle connections after 30 s.
 */
const OPEN_CONNECTION = `$address:${HISTORY_PORT.toString(16).toUpperCase()} [0-9A-F]*:[0-9A-F]* 01`;

const SCRIPT = `
${OWN_LOOPBACK}
export SPARK_LOCAL_IP=$own
address=$(IFS=.; set -- $own; printf '%02X%02X%02X%02X' "$4" "$3" "$2" "$1")
"\${SPARK_HOME:-/opt/spark}/bin/spark-class" org.apache.spark.deploy.history.HistoryServer &
server=$!
trap 'kill $server' TERM INT
idle=0
while kill -0 $server 2>/dev/null; do
  sleep 5 & wait $!
  if grep -qs "${OPEN_CONNECTION}" /proc/net/tcp /proc/net/tcp6; then idle=0; else idle=$((idle + 5)); fi
  if [ $idle -ge ${IDLE_SECONDS} ]; then kill $server; wait $server; exit 0; fi
done
wait $server
`.trim();
