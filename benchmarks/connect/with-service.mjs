// @ts-check
// What the parts of this benchmark share: a service with a profile, whose drivers are real pods.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { sleep } from "../harness/wait.mjs";
import { connectService, serviceName } from "./service.mjs";

export const NAMESPACE = process.env["KINDLING_BENCH_NAMESPACE"] ?? "default";
/** Spark's configuration of all drivers. */
export const CONF = {
  "spark.kubernetes.container.image": process.env["KINDLING_BENCH_IMAGE"] ?? "apache/spark:4.3.0",
  "spark.kubernetes.authenticate.driver.serviceAccountName": process.env["KINDLING_BENCH_ACCOUNT"] ?? "spark",
  "spark.driver.memory": "2g",
  "spark.driver.maxResultSize": "4g",
  "spark.executor.instances": "1",
  "spark.executor.memory": "1g",
  "spark.kubernetes.driver.request.cores": "200m",
  "spark.kubernetes.executor.request.cores": "200m",
};
const OF_SERVICE = `connect.kindling/service=${serviceName(NAMESPACE)}`;

/** @typedef {import("../harness/judge.mjs").Row} Row */
/** @typedef {{ client: import("@kindling/kube").KubeClient, folder: string }} Context */

/**
 * Profiles as YAML with the only one, `small`, for Spark.
 *
 * @param {string} [fields] lines of YAML, besides namespace and configuration
 * @param {Readonly<Record<string, string>>} [more] configuration
 */
export function sparkProfile(fields = "", more = {}) {
  const conf = Object.entries({ ...CONF, ...more }).map(([key, value]) => `      ${key}: "${value}"`);
  return `profiles:\n  small:\n    namespace: ${NAMESPACE}\n${fields}    conf:\n${conf.join("\n")}\n`;
}

/**
 * Starts a service for this work, and leaves none of its drivers behind.
 *
 * @param {Context} context
 * @param {Omit<import("./service.mjs").ServiceOptions, "namespace">} options
 * @param {(service: import("./service.mjs").Service) => Promise<Row[]>} work
 */
export async function withService({ client, folder }, options, work) {
  const service = await connectService(mkdtempSync(join(folder, "service-")), { ...options, namespace: NAMESPACE });
  await service.start();
  try {
    return await work(service);
  } finally {
    await service.stop();
    await client.deleteCollection(resources.pods, { namespace: NAMESPACE, labelSelector: OF_SERVICE });
    await untilNone(client, OF_SERVICE);
  }
}

/**
 * Waits until there are no pods of this kind.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} [labelSelector]
 */
export async function untilNone(client, labelSelector = "spark-role") {
  for (;;) {
    const { items } = await client.listAll(resources.pods, { namespace: NAMESPACE, labelSelector });
    if (items.length === 0) return;
    await sleep(500);
  }
}
