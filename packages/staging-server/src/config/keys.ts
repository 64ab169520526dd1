import { confType, isApiServerAudience, isDnsSubdomain } from "@kindling/core-spec";
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
  "listen.trustedProxies": {
    type: list,
    default: "",
    doc:
      "Networks of proxies before this server, such as `10.0.0.0/8`. What they say in `X-Forwarded-For` is believed where " +
      "clients are told apart by address, and their connections are not counted by client. Name the proxies alone: " +
      "whoever has an address in these networks can claim any other.",
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
      "How submitters prove who they are: `token` (see `auth.accessFile`), `kubernetes` (a token of the cluster for " +
      "`auth.audiences`, see `auth.submitters`), `mtls` (a client certificate), `none`. Must be set unless " +
      "`listen.host` is a loopback address. Downloads need the bundle's secret in any mode.",
  },
  "auth.accessFile": {
    type: text,
    default: undefined,
    doc: "Who may do what with `auth.mode` `token` or `mtls`, as JSON; read again when it changes.",
  },
  "auth.audiences": {
    type: confType.checked(list, (audiences) => !audiences.some(isApiServerAudience), "audiences of this server's own"),
    default: "kindling-staging",
    doc:
      "Audiences of which a token must have one, and beside which it may have no other, with `auth.mode=kubernetes`. " +
      "Never the API server's own: whoever takes its tokens could act with them in the cluster.",
  },
  "auth.submitters": {
    type: confType.checked(list, (names) => names.every(isDnsSubdomain), "names of service accounts"),
    default: "kindling-submitter",
    doc:
      "Service accounts of that name may upload for their own namespace with `auth.mode=kubernetes`, and for no other. " +
      "Anybody else may upload where they may create pods.",
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
  "store.minFree": {
    type: sizeBytes,
    default: "1g",
    doc: "Space that is left free on the volume of `local-disk`; what is below it is for deletions only.",
  },
  "store.damagedBytes": {
    type: sizeBytes,
    default: "1g",
    doc:
      "How much of damaged files, and of damaged documents of each kind, is kept in the folder `damaged` of " +
      "`local-disk` for somebody to look into; the oldest go first. It is in nobody's quota.",
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
  "limits.writeStall": {
    type: seconds,
    default: "60s",
    doc:
      "How long a reader may take no byte; up to twice as long after it has taken many at once. However slow, one that " +
      "takes some goes on: Linux tells what the other side has taken; elsewhere what this side could send has to do.",
  },
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
  "limits.connections": {
    type: count,
    default: undefined,
    doc:
      "Most connections at once. When all are taken, a newcomer gets the place of the least deserving one: strangers " +
      "before known clients, idle before busy, of whoever has most; never of a known client's transfer that goes on. " +
      "Unset: what the limits of files (`ulimit -n`) and memory allow, at most 10 000; never more than the former does.",
  },
  "limits.connectionsPerClient": {
    type: count,
    default: undefined,
    doc: "Most connections at once from one address (of IPv6, one /64 network); unset: half of all.",
  },
  "limits.requests": {
    type: count,
    default: undefined,
    doc:
      "Most requests under way; one client can have half of them. A client is a subject, the namespace of a bundle " +
      "whose secret it has, or an address. Unset: as many as connections.",
  },
  "limits.strangerRate": {
    type: count,
    default: "100",
    doc:
      "Requests a second of one address to what needs no credentials, ten times as many from all, and five seconds' worth " +
      "at once. Beyond that the connection is closed with the answer.",
  },
  "limits.reviews": {
    type: count,
    default: "32",
    doc: "Most questions to the API server at once about tokens and rights; one client can have half of them.",
  },
  "limits.failedReviews": {
    type: count,
    default: "5",
    doc:
      "Tokens a second from one address that the API server may refuse; ten times as many from all. Beyond that it is not " +
      "asked about tokens that it has not accepted before. Ten seconds' worth may come at once.",
  },
  "limits.documentMemory": {
    type: sizeBytes,
    default: undefined,
    doc:
      "Memory for JSON documents that are received, worked on or sent, all requests together; one client can have half of " +
      "it. A document counts four times its length. Unset: an eighth of the memory, at most 256m, but enough for two of " +
      "the largest.",
  },
  "limits.memory": {
    type: sizeBytes,
    default: undefined,
    doc: "Memory for leases, uploads and bundles, by estimate; unset: an eighth of what the process may have.",
  },
  "limits.memoryPerNamespace": {
    type: sizeBytes,
    default: undefined,
    doc: "The part of it that one namespace may have; unset: a quarter.",
  },
  "limits.leasesPerNamespace": { type: count, default: "1000", doc: "Most leases of one namespace." },
  "limits.openUploadsPerNamespace": {
    type: count,
    default: "1000",
    doc: "Most resumable uploads of one namespace that have begun and are not complete.",
  },
  "limits.bundlesPerNamespace": { type: count, default: "10000", doc: "Most bundles of one namespace." },

  "quota.default": {
    type: sizeBytes,
    default: "0",
    doc:
      "Bytes that a namespace may take in the store: distinct files, uploads that have begun, and documents, each in " +
      "blocks of 4 KiB; as many again in files of deleted bundles, until these are collected; 0: no limit.",
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
  "lifecycle.confirmAfter": {
    type: confType.checked(seconds, (value) => value >= 2, "a duration of at least 2s"),
    default: "10s",
    doc:
      "How far apart the cluster must have said twice that a bundle's owner does not run before the bundle is deleted; " +
      "at least 2s.",
  },
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
