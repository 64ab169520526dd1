import type { SparkConf } from "@kindling/core-spec";
import { createKubeClient, type ClusterAccess, type KubeClient } from "@kindling/kube";
import { CONNECTION_TIMEOUT, REQUEST_TIMEOUT } from "../keys/connection-keys.ts";
import { USER_AGENT } from "../version.ts";

/** In the HTTP client of spark-submit, 0 means no limit. */
function limitOf(milliseconds: number): number {
  return milliseconds <= 0 ? Number.POSITIVE_INFINITY : milliseconds;
}

/** A client with the submission's time-outs. */
export function connect(access: ClusterAccess, conf: SparkConf, namespace: string | undefined): KubeClient {
  return createKubeClient(access, {
    namespace,
    userAgent: USER_AGENT,
    requestTimeoutMs: limitOf(conf.get(REQUEST_TIMEOUT)),
    connectTimeoutMs: limitOf(conf.get(CONNECTION_TIMEOUT)),
    retry: { limit: 3 },
  });
}
