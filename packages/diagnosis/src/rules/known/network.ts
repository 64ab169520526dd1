import type { KnownFailure } from "./known-failure.ts";

/** Names, connections, certificates. */
export const network = (): readonly KnownFailure[] => [
  {
    words: /Could not connect to meta ?store|SessionHiveMetaStoreClient/,
    cause: "Unreachable",
    advice:
      "the pod does not reach Hive's metastore: check spark.hadoop.hive.metastore.uris (thrift://HOST:9083), that it runs, and NetworkPolicies",
  },
  {
    words:
      /No resolvable bootstrap urls|Failed to construct kafka consumer|TimeoutException: (?:Call\(|Timed out waiting for a node assignment|Failed to get offsets)/,
    cause: "Unreachable",
    advice:
      "the pod does not reach Kafka: check kafka.bootstrap.servers, and that the brokers advertise addresses that pods can reach",
  },
  {
    words: /Port already in use: (\d+)|JMX connector server communication error/,
    advice: "the port of JMX is taken in the pod: give driver and executors ports of their own in their Java options",
  },
  ...unknownHosts(),
  {
    words:
      /(?:PKIX path building failed|unable to find valid certification path|SSLHandshakeException|certificate verify failed|CERTIFICATE_VERIFY_FAILED)/,
    cause: "Unreachable",
    advice:
      "the certificate's authority is not known in the pod: put it into the image's trust store, or name one with -Djavax.net.ssl.trustStore in spark.driver.extraJavaOptions and spark.executor.extraJavaOptions",
  },
  {
    words: /No pod was found named (\S+) in the cluster in the namespace (\S+)/,
    advice: (name, namespace) =>
      `spark.kubernetes.driver.pod.name says ${name}, and namespace ${namespace} has no such pod: correct it and spark.kubernetes.namespace, or leave it out where the driver is not in a pod`,
  },
  {
    words:
      /CommunicationsException|Connection to (\S+) refused|Connection (?:refused|timed out|reset)|ConnectException|ConnectTimeout|SocketTimeoutException|NoRouteToHostException|Could not connect to meta ?store|Network is unreachable|Failed to connect to/,
    cause: "Unreachable",
    advice:
      "the pod does not reach that address: check host and port, that the service runs, NetworkPolicies and security groups; localhost is the pod itself",
  },
  {
    words: /Service '\w+' failed after \d+ retries|Cannot assign requested address/,
    advice:
      "the address cannot be bound in the pod: leave spark.driver.bindAddress, spark.driver.host and SPARK_LOCAL_IP to Spark, or set other ports",
  },
  {
    words: /Address already in use/,
    advice:
      "the port is taken in the pod, or on the node with hostNetwork: give each its own (spark.ui.port, the port of a Java agent, spark.driver.port)",
  },
  {
    words: /unresolved dependency: ([\w.-]+#[\w.-]+;[\w.+-]+)|Server access error at url (\S+)|download failed: (\S+)/,
    cause: "ClassNotFound",
    advice:
      "check the coordinates, with the Scala version in the artifact's name, and that the driver reaches Maven (spark.jars.repositories, a proxy); spark.kindling.packages.resolve=submitter resolves them on your machine",
  },
  {
    words: /(?:SecretManager\$InvalidToken|_DELEGATION_TOKEN).*(?:is expired|has expired|can't be found in cache)/,
    cause: "AccessDenied",
    advice:
      "a delegation token of Hadoop has ended, because nobody has renewed it, or because its life is over: use spark.kerberos.keytab for applications that run longer, or a gateway that renews tokens (spark.kindling.kerberos.renewer)",
  },
  {
    words: /(?:KrbException|Kerberos|GSSException|No valid credentials provided)/,
    cause: "AccessDenied",
    advice:
      "check spark.kerberos.principal and keytab, the krb5.conf (spark.kubernetes.kerberos.krb5.path), and that the clocks agree",
  },
  {
    words: /Unauthorized|Message: Unauthorized/,
    cause: "Forbidden",
    advice:
      "the token of the driver's service account is not accepted: check that it is mounted (automountServiceAccountToken), and the cluster's clock; tokens run out, which clients of Spark before 3.3 do not notice",
  },
];

/** Host names that cannot be resolved. */
const unknownHosts = (): readonly KnownFailure[] => [
  {
    words:
      /UnknownHostException: (kubernetes\.default\S*)|(?:Name or service not known|Temporary failure in name resolution).*?(kubernetes\.default\S*)/,
    cause: "Unreachable",
    advice:
      "the cluster's DNS does not answer in the pod: check CoreDNS, dnsPolicy (ClusterFirstWithHostNet with hostNetwork), and NetworkPolicies that forbid port 53",
  },
  {
    words: /UnknownHostException: [\w.-]*(?:minio|s3|localstack|ceph|rook)/,
    cause: "Unreachable",
    advice:
      "the pod cannot resolve the store's name: check spark.hadoop.fs.s3a.endpoint; where the bucket stands before the host, set spark.hadoop.fs.s3a.path.style.access=true",
  },
  {
    words:
      /UnknownHostException:? ([\w.-]+)|(?:Name or service not known|Temporary failure in name resolution|nodename nor servname|Could not resolve host:? ?)([\w.-]*)/,
    cause: "Unreachable",
    advice: (host, other) =>
      `the pod cannot resolve ${host || other || "the name"}: check the name, and from a pod of the namespace the cluster's DNS and its NetworkPolicies`,
  },
];

/**
 * Matches words somewhere after others, in a text that may have a megabyte of both. The first match of the others is enough,
 * and is searched only once: a regular expression does not try another match inside a lookahead. It is the first group.
 */
function behind(others: RegExp, words: RegExp): RegExp {
  return new RegExp(String.raw`^(?=([^]*?(?:${others.source})))\1[^]*${words.source}`);
}

/** The driver and the API server: the exception names the request, and its cause names the problem. */
export const apiServer = (): readonly KnownFailure[] => [
  {
    words: behind(/Failed to connect to \S*?-driver-svc/, /(?:refused|[Tt]imed? ?out|unreachable|No route)/),
    cause: "Unreachable",
    advice:
      "executors do not reach the driver's service (ports 7078 and 7079): a NetworkPolicy, or a service mesh in either pod, keeps them from it",
  },
  {
    // The gateway's service with the chart's name; its host is in the place of the API server's.
    words: behind(
      /Operation: \[\w+\] +for kind: \[\w+\]/,
      /(?:[Tt]imed? ?out|timeout|refused|unreachable|NoRouteToHost|Failed to connect|UnknownHost).*\b(kindling-gateway\.[\w-]+)\b/,
    ),
    cause: "Unreachable",
    advice: (_, service) =>
      `the driver does not reach the gateway, service ${service}: a driver that begins while no gateway is there fails. kindling doctor tells whether one is; then submit again (spark.kindling.driver.restart does that by itself). A NetworkPolicy may keep the driver from it, too`,
  },
  {
    words: behind(
      /Operation: \[\w+\] +for kind: \[\w+\]|at: https?:\/\/kubernetes\.default/,
      /(?:[Tt]imed? ?out|timeout|refused|unreachable|NoRouteToHost|Failed to connect)/,
    ),
    cause: "Unreachable",
    advice:
      "the driver does not reach the API server: check NetworkPolicies, a service mesh's sidecar that is not ready yet, and spark.kubernetes.driver.master",
  },
];
