import type { Values } from "./render.ts";

const S3 = { kind: "s3", s3: { bucket: "staging", endpoint: "https://s3.example", credentialsSecret: "s3-keys" } };
const GCS = { kind: "gcs", gcs: { uri: "gs://staging/spark" } };
const ADLS = {
  kind: "adls",
  adls: { uri: "abfss://staging@account.dfs.core.windows.net/spark", credentialsSecret: "account-key" },
};
const WEBHDFS = {
  kind: "webhdfs",
  webhdfs: { endpoints: ["http://nn-1:9870", "http://nn-2:9870"], tokenSecret: "hdfs" },
};

/** A gateway that renews delegation tokens. */
export const KERBEROS: Values = {
  "gateway.kerberos": {
    ...{ principal: "kindling/gw@EXAMPLE.COM", keytabSecret: "keytab" },
    ...{ krb5ConfigMap: "krb5", hadoopConfigMap: "hadoop" },
  },
};

/** Spark Connect for many users, with all fields that profiles may have. */
export const CONNECT: Values = {
  namespaces: ["etl", "adhoc"],
  "connect.enabled": true,
  "connect.profiles": {
    small: {
      ...{ namespace: "etl", description: "A small session.", image: "apache/spark:4.3.0", sparkVersion: "4.3.0" },
      ...{ sharing: "session", queue: "default", queues: ["etl.daily"], access: { users: ["jane"], groups: ["data"] } },
      ...{ idle: "20m", ttl: "12h", startTimeout: 300, warm: 1, driversPerUser: 2, sessionsPerUser: 20 },
      driver: { cores: 1, memory: "1g", serviceAccount: "spark" },
      executor: { cores: 1, memory: "1g", min: 0, max: 4 },
      conf: { "spark.sql.shuffle.partitions": 8, "spark.sql.ansi.enabled": false, "spark.kindling.seal": "true" },
    },
    fixed: { namespace: "adhoc", image: "apache/spark:3.5.9", executor: { instances: 2 } },
    other: {
      ...{ namespace: "adhoc", image: "sail:1", command: ["sail", "spark", "server"], port: 50_051 },
      ...{ env: { LEVEL: "info", THREADS: 4 }, resources: { cpu: "500m", memory: "2Gi" } },
    },
  },
};

/** Installations that the chart must support, by their special feature. */
export const VARIANTS: Readonly<Record<string, Values>> = {
  "with default values": {},
  "to try it out": { "staging.storage.kind": "emptyDir", "staging.storage.emptyDir.sizeLimit": "5Gi" },
  "with a claim of one's own": { "staging.storage.volume.existingClaim": "files" },
  "with a storage class": { "staging.storage.volume.storageClass": "fast", "staging.storage.volume.size": "1Ti" },
  "with S3 and several servers": { "staging.storage": S3, "staging.replicas": 3 },
  "with Google Cloud Storage and a workload identity": {
    "staging.storage": GCS,
    "staging.replicas": 2,
    "staging.accountAnnotations": { "iam.gke.io/gcp-service-account": "staging@jobs.iam.gserviceaccount.com" },
  },
  "with Azure Data Lake Storage": { "staging.storage": ADLS, "staging.replicas": 2 },
  "with WebHDFS": { "staging.storage": WEBHDFS, "staging.replicas": 2 },
  "for namespaces": { namespaces: ["etl", "adhoc"] },
  "without a gateway": { "gateway.enabled": false },
  "without a staging server": { "staging.enabled": false },
  "with several gateways": { "gateway.replicas": 3 },
  "with a fixed capacity and without restarts": {
    "gateway.restarts": false,
    "gateway.settings": { capacity: "cpu=64,memory=256Gi" },
  },
  "with renewal of delegation tokens": { ...KERBEROS, "gateway.restarts": false },
  "with queues": {
    queues: [
      { name: "etl", weight: 2, guarantee: { cpu: 16 }, children: [{ name: "daily" }, { name: "hourly" }] },
      { name: "streams", floor: "minimum", preemption: "graceful" },
      { name: "default", ceiling: { cpu: 8, "nvidia.com/gpu": 2 }, floor: 2 },
    ],
  },
  "with classes of nodes": {
    "gateway.nodes": [
      {
        ...{ class: "spark-r", max: 20, cpu: 15, memory: "120Gi", resources: { "nvidia.com/gpu": 1 } },
        labels: { pool: "spark-r" },
        taints: [{ key: "spark", effect: "NoSchedule" }],
      },
    ],
    queues: [{ name: "default", protect: "all", spot: { share: 0.7, fallback: false } }],
  },
  "with classes of nodes and one queue": {
    "gateway.nodes": [{ class: "spark-r", max: 20, cpu: "15", memory: "120Gi" }],
  },
  "with queues of certain namespaces": {
    queues: [
      {
        name: "etl",
        namespaces: { matchLabels: { team: "etl" }, matchExpressions: [{ key: "tier", operator: "Exists" }] },
        priority: { min: -5, max: 10, default: 1 },
        guarantee: { cpu: "1500m", memory: "1Gi" },
        ceiling: { cpu: 2, memory: "1024Mi" },
        children: [
          { name: "daily", guarantee: { cpu: "0.5" }, priority: { max: 5 } },
          { name: "hourly", guarantee: { cpu: 1 } },
        ],
      },
      { name: "default", namespaces: ["adhoc", "team-*"] },
    ],
  },
  "with the submission service": {
    "submission.enabled": true,
    "submission.from": [{ podSelector: { matchLabels: { app: "airflow" } } }],
    "submission.extraRules": [{ apiGroups: ["batch"], resources: ["jobs"], verbs: ["create"] }],
  },
  "with Spark Connect": CONNECT,
  "with Spark Connect, a load balancer and a key of one's own": {
    ...CONNECT,
    "connect.service": { type: "LoadBalancer", annotations: { "example.com/internal": "true" } },
    "connect.from": [{ namespaceSelector: { matchLabels: { team: "notebooks" } } }],
    "connect.driversKeySecret": "our-key",
    "connect.defaults": { "spark.sql.shuffle.partitions": 20 },
    "connect.settings": { "profiles.default": "small", "auth.audiences": ["notebooks", "kindling-connect"] },
    "connect.extraRules": [{ apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["create"] }],
  },
  "with a recorder": { "recorder.enabled": true },
  "with a recorder whose archive is in a bucket": {
    "recorder.enabled": true,
    "recorder.storage": { kind: "s3", s3: { bucket: "archive", credentialsSecret: "archive-keys" } },
    "recorder.settings": { "retention.age": "90d", "retention.namespaces": "trial=2d" },
  },
  "with a recorder inside of the gateway": {
    "recorder.enabled": true,
    "recorder.inGateway": true,
    "recorder.storage": { kind: "s3", s3: { bucket: "archive", credentialsSecret: "archive-keys" } },
    "recorder.env": [{ name: "AWS_CA_BUNDLE", value: "/etc/corporate/ca.pem" }],
    "recorder.volumes": [{ name: "corporate", configMap: { name: "corporate-ca" } }],
    "recorder.volumeMounts": [{ name: "corporate", mountPath: "/etc/corporate" }],
  },
  "with a history server": {
    "recorder.enabled": true,
    "recorder.historyServer.enabled": true,
    "recorder.historyServer.image": "apache/spark:4.0.1",
    "recorder.historyServer.settings": { "spark.history.ui.maxApplications": 100 },
  },
  "with several submission services": {
    "submission.enabled": true,
    "submission.replicas": 2,
    "staging.enabled": false,
  },
  "with certificates of cert-manager": { "tls.mode": "cert-manager" },
  "with an issuer of one's own": {
    "tls.mode": "cert-manager",
    "tls.certManager.issuerRef": { kind: "ClusterIssuer", name: "corporate", group: "cert-manager.io" },
  },
  "with Secrets of one's own": { "tls.mode": "secrets", "tls.secrets.staging": "staging-cert" },
  "with an authority that is said": {
    "tls.mode": "secrets",
    "tls.ca": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
  },
  "with submitters, readers and roles": {
    submitters: [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "data" }],
    queueReaders: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "jane" }],
    "accounts.spark.role": true,
  },
  "with sources for network policies": {
    "networkPolicy.apiServer": [{ ipBlock: { cidr: "10.0.0.0/28" } }],
    "networkPolicy.monitoring": [{ namespaceSelector: { matchLabels: { team: "ops" } } }],
  },
  "without network policies": { "networkPolicy.enabled": false },
  "with monitors": { "metrics.serviceMonitor": { enabled: true, labels: { release: "prometheus" } } },
  "with all that pods may have": {
    "images.registry": "registry.example/team/",
    "images.pullSecrets": [{ name: "registry-key" }],
    "images.gateway.digest": `sha256:${"0".repeat(64)}`,
    staging: pods(),
    gateway: pods(),
    submission: { enabled: true, ...pods() },
    connect: { enabled: true, profiles: { small: { namespace: "spark-system", image: "spark:4" } }, ...pods() },
  },
};

function pods(): Values {
  return {
    priorityClassName: "system-cluster-critical",
    nodeSelector: { disk: "ssd" },
    tolerations: [{ key: "spark", operator: "Exists" }],
    affinity: { nodeAffinity: {} },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway" },
    ],
    podAnnotations: { "example.com/owner": "data" },
    podLabels: { team: "data" },
    accountAnnotations: { "example.com/role": "reader" },
    env: [{ name: "HTTPS_PROXY", value: "http://proxy:3128" }],
    volumes: [{ name: "steps", emptyDir: {} }],
    volumeMounts: [{ name: "steps", mountPath: "/steps" }],
  };
}
