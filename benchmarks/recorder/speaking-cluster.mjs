// @ts-check
import { start } from "../harness/calls.mjs";

/** @typedef {import("../harness/calls.mjs").Callable<import("./cluster.mjs").SpeakingCluster>} SpeakingCluster */

/**
 * Starts the cluster of hollow pods as a process of its own, and waits until it answers.
 *
 * @param {string} kubeconfig the file to write
 * @param {"tls" | ""} [tls]
 */
export async function speakingCluster(kubeconfig, tls = "") {
  const started = start(new URL("cluster.mjs", import.meta.url), [kubeconfig, tls]);
  const cluster = /** @type {SpeakingCluster} */ (/** @type {unknown} */ (started));
  await cluster.call("ready");
  return cluster;
}
