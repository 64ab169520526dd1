import { confType } from "@kindling/core-spec";
import type { ServerConfig, ServerKeyName } from "./server-config.ts";
import { count, port, seconds, sizeBytes, text, type ServerKey } from "./server-key.ts";

const { boolean, list, oneOf } = confType;

/** The declared schema: files, flags, environment, defaults and the reference are all read from here. */
export const SERVER_KEYS: { readonly [K in ServerKeyName]: ServerKey<ServerConfig[K]> } = {
  "listen.host": { type: text, default: "0.0.0.0", doc: "Address that the protocol is served on." },
  "listen.port": {
    type: port,
    default: "10000",
    doc: "Port that the protocol is served on; 0 takes a free one.",
    alternatives: ["spark.kubernetes.resourceStagingServer.port"],
  },
  "admin.host": { type: text, default: "0.0.0.0", doc: "Address of health checks and metrics." },
  "admin.port": {
    type: port,
    default: "10001",
    doc: "Port of `/healthz`, `/readyz` and `/metrics`, in plain HTTP; 0 takes a free one.",
  },

  "tls.certFile": {
    type: text,
    default: undefined,
    doc: "Certificate chain as PEM. With it and the key, the protocol is served over TLS only.",
    alternatives: ["spark.ssl.kubernetes.resourceStagingServer.serverCertPem"],
  },
  "tls.keyFile": {
    type: text,
    default: undefined,
    doc: "Private key of the certificate as PEM.",
    alternatives: ["spark.ssl.kubernetes.resourceStagingServer.keyPem"],
  },
  "tls.clientCaFile": {
    type: text,
    default: undefined,
    doc: "Authorities that sign client certificates, as PEM. Clients are asked for one; only `auth.mode=mtls` needs it.",
  },
  "tls.minVersion": { type: oneOf("TLSv1.2", "TLSv1.3"), default: "TLSv1.2", doc: "Oldest version of TLS spoken." },
  "tls.reloadInterval": {
    type: seconds,
    default: "10s",
    doc: "How often the files of TLS and `auth.accessFile` are looked at for changes; open connections go on.",
  },

  "auth.mode": {
    type: oneOf("none", "token", "kubernetes", "mtls"),
    default: undefined,
    doc:
      "How submitters prove who they are: `token` (see `auth.accessFile`), `kubernetes` (a token of the cluster, whose " +
      "owner may create pods in the namespace), `mtls` (a client certificate), `none`. Must be set unless " +
      "`listen.host` is a loopback address. Downloads need the bundle's secret in any mode.",
  },
  "auth.accessFile": {
    type: text,
    default: undefined,
    doc: "Who may do what with `auth.mode` `token` or `mtls`, as JSON; read again when it changes.",
  },
  "auth.audiences": {
    type: list,
    default: "",
    doc: "Audiences of which a token must have one with `auth.mode=kubernetes`; empty: the API server's own.",
  },
  "auth.cache": {
    type: confType.checked(seconds, (value) => value <= 60, "a duration of at most 60s"),
    default: "60s",
    doc: "How long the API server's answers about tokens and rights are believed; at most 60s.",
  },
  "v0.uploads": {
    type: oneOf("authenticated", "open", "off"),
    default: "authenticated",
    doc:
      "Uploads on the old fork's wire, whose client cannot prove who it is: `authenticated` as any other upload, `open` " +
      "as the fork did, `off`.",
  },

  "store.kind": {
    type: oneOf("local-disk", "s3", "webhdfs"),
    default: "local-disk",
    doc: "Where files are kept. With `s3` and `webhdfs` any number of servers may share them.",
  },
  "store.path": { type: text, default: "/var/lib/kindling-staging", doc: "Data folder of `local-disk`." },
  "store.minFree": { type: sizeBytes, default: "1g", doc: "Space that is left free on the volume of `local-disk`." },
  "store.damagedBytes": {
    type: sizeBytes,
    default: "1g",
    doc:
      "How much of damaged files, and of damaged documents of each kind, is kept in the folder `damaged` of " +
      "`local-disk` for somebody to look into; the oldest go first.",
  },
  "store.s3.endpoint": {
    type: text,
    default: undefined,
    doc: "URI of an S3-compatible server; unset: AWS, by region.",
  },
  "store.s3.region": { type: text, default: "us-east-1", doc: "Region that requests are signed for." },
  "store.s3.bucket": { type: text, default: undefined, doc: "Bucket; it must exist." },
  "store.s3.prefix": { type: confType.text, default: "", doc: "Prefix of all keys in the bucket." },
  "store.s3.pathStyle": {
    type: boolean,
    default: "true",
    doc: "Put the bucket into the path instead of the host name.",
  },
  "store.s3.credentialsFile": {
    type: text,
    default: undefined,
    doc:
      "Properties file with `accessKeyId`, `secretAccessKey` and perhaps `sessionToken`, read again when it changes; " +
      "unset: `AWS_ACCESS_KEY_ID` and its like, a web identity (`AWS_WEB_IDENTITY_TOKEN_FILE`), or the container's " +
      "credentials (`AWS_CONTAINER_CREDENTIALS_FULL_URI`).",
  },
  "store.s3.partSize": {
    type: confType.checked(sizeBytes, (value) => value >= 5 * 1024 * 1024, "a size of at least 5m"),
    default: "16m",
    doc: "Size of the parts of a multipart upload. A file can have 10 000 of them.",
  },
  "store.s3.spoolPath": {
    type: text,
    default: undefined,
    doc: "Folder for parts that are on their way to S3, at most three of them for each upload; unset: the system's.",
  },
  "store.s3.redirect": {
    type: boolean,
    default: "true",
    doc: "Answer downloads with a redirect to a presigned URL, if the client accepts one.",
  },
  "store.s3.redirectExpiry": { type: seconds, default: "15min", doc: "How long a presigned URL works." },
  "store.webhdfs.endpoints": {
    type: list,
    default: "",
    doc: "URIs of the name nodes' HTTP servers or of HttpFS; the first that is active is used.",
  },
  "store.webhdfs.path": { type: text, default: "/kindling-staging", doc: "Folder in HDFS." },
  "store.webhdfs.user": { type: text, default: undefined, doc: "Value of `user.name`, where HDFS has no security." },
  "store.webhdfs.tokenFile": {
    type: text,
    default: undefined,
    doc: "File with a delegation token, read again when it changes.",
  },
  "store.webhdfs.basicAuthFile": {
    type: text,
    default: undefined,
    doc: "File with `user:password` for a gateway such as Knox, read again when it changes.",
  },
  "store.webhdfs.dataHosts": {
    type: list,
    default: "*",
    doc: "Hosts that a name node may send this server to; `*` stands for any characters.",
  },
  "store.webhdfs.segmentSize": {
    type: confType.checked(sizeBytes, (value) => value >= 1024 * 1024, "a size of at least 1m"),
    default: "128m",
    doc: "How much of an upload is at most lost when this server is killed.",
  },

  "scrub.interval": {
    type: seconds,
    default: "7d",
    doc:
      "How often every file of `local-disk` is read again to find those that the disk has damaged; 0: never. S3 and " +
      "HDFS see to that themselves.",
  },
  "scrub.rate": {
    type: confType.checked(sizeBytes, (value) => value > 0, "a size above 0"),
    default: "16m",
    doc: "Bytes a second that this takes at most; a quarter of it while files are being sent or fetched.",
  },

  "limits.fileBytes": { type: sizeBytes, default: "20g", doc: "Largest file." },
  "limits.bundleFiles": { type: count, default: "4096", doc: "Most files of a bundle." },
  "limits.oneShotBytes": {
    type: sizeBytes,
    default: "8m",
    doc: "Clients send files up to this size in one request; larger ones so that they can be resumed.",
  },
  "limits.uploads": { type: count, default: "128", doc: "Most uploads at once; further ones are told to come back." },
  "limits.uploadsPerClient": { type: count, default: "32", doc: "Most uploads at once of one subject or address." },
  "limits.downloads": {
    type: count,
    default: "512",
    doc: "Most downloads at once; further ones are told to come back.",
  },
  "limits.minRate": {
    type: sizeBytes,
    default: "16k",
    doc: "Bytes per second below which an upload is ended, over `limits.minRateWindow`.",
  },
  "limits.minRateWindow": { type: seconds, default: "30s", doc: "How long an upload may be too slow." },
  "limits.writeStall": { type: seconds, default: "60s", doc: "How long a reader may take no byte." },
  "limits.headersTimeout": { type: seconds, default: "30s", doc: "How long a request's headers may take." },
  "limits.receiveBuffer": {
    type: sizeBytes,
    default: "4m",
    doc: "Memory for received bytes that wait for the store, all uploads together.",
  },
  "limits.readBuffer": {
    type: sizeBytes,
    default: "8m",
    doc: "Memory for large read buffers, all downloads together; slow readers get small ones.",
  },

  "quota.default": {
    type: sizeBytes,
    default: "0",
    doc: "Bytes of distinct files that a namespace's bundles may have; 0: no limit.",
  },
  "quota.namespaces": {
    type: list,
    default: "",
    doc: "Other quotas, as `namespace=size`; the first match counts, `*` stands for any characters.",
  },
  "dedupe.scope": {
    type: oneOf("namespace", "server"),
    default: "namespace",
    doc:
      "Whose files a client may be told about. `namespace`: only those of its own, so that nobody can find out what " +
      "others have; bytes are shared in storage all the same. `server`: everybody's.",
  },

  "lease.ttl": { type: seconds, default: "15min", doc: "How long a submitter's session outlives its last request." },
  "lease.maxTtl": { type: seconds, default: "24h", doc: "Longest such time that a client may ask for." },
  "upload.ttl": {
    type: seconds,
    default: "6h",
    doc: "How long an interrupted upload can be resumed; 15min at most while the disk has less than `store.minFree`.",
  },
  "lifecycle.unusedTtl": {
    type: seconds,
    default: "30min",
    doc: "How long a bundle waits for its first download or for its owner to appear.",
    alternatives: ["spark.kubernetes.resourceStagingServer.initialAccessExpirationTimeout"],
  },
  "lifecycle.maxUnusedTtl": { type: seconds, default: "24h", doc: "Longest such time that a client may ask for." },
  "lifecycle.orphanGrace": {
    type: seconds,
    default: "10min",
    doc: "How long a bundle outlives its owner, for executors that still download.",
  },
  "lifecycle.maxAge": {
    type: seconds,
    default: "7d",
    doc: "How long a bundle is kept whose owner is not watched.",
  },
  "lifecycle.interval": { type: seconds, default: "30s", doc: "Time between two looks at all bundles." },
  "lifecycle.blobGrace": {
    type: seconds,
    default: "10min",
    doc: "How long a file stays after nothing refers to it any more.",
  },
  "lifecycle.owners": {
    type: oneOf("kubernetes", "none"),
    default: "kubernetes",
    doc: "Whether owners are watched in the cluster. Without, `lifecycle.maxAge` decides.",
  },
  "lifecycle.ownerResources": {
    type: list,
    default: "",
    doc:
      "Custom resources that may own bundles, as `Type=group/version/plural`, and behind another `=` the states in " +
      "which one has ended, as `path:VALUE|VALUE`: " +
      "`SparkApplication=sparkoperator.k8s.io/v1beta2/sparkapplications=status.applicationState.state:COMPLETED|FAILED`.",
  },

  "cluster.kubeconfig": {
    type: text,
    default: undefined,
    doc: "Kubeconfig to reach the API server with; unset: the pod's service account.",
  },
  "cluster.leaseNamespace": {
    type: text,
    default: undefined,
    doc: "Namespace of the Lease by which servers that share a store elect the one that deletes; unset: the pod's.",
  },
  "cluster.leaseName": { type: text, default: "kindling-staging-cleaner", doc: "Name of that Lease." },

  "shutdown.grace": {
    type: seconds,
    default: "25s",
    doc: "How long transfers may go on after SIGTERM; keep it below the pod's terminationGracePeriodSeconds.",
  },
  "log.level": {
    type: oneOf("debug", "info", "warn", "error"),
    default: "info",
    doc: "How much is logged, as JSON lines.",
  },
};
