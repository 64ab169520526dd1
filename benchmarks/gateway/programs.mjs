// @ts-check
// The programs around a gateway, each in a separate process.
import { start } from "../harness/calls.mjs";

/**
 * Reports pods as running.
 *
 * @param {string} kubeconfig
 * @param {string} namespace
 * @param {string} [node] to which it binds executors; without this, they stay without a node
 * @returns {import("../harness/calls.mjs").Callable<import("./hollow-kubelet.mjs").HollowKubelet>}
 */
export function startKubelet(kubeconfig, namespace, node = "") {
  return start(new URL("hollow-kubelet.mjs", import.meta.url), [kubeconfig, namespace, node]);
}

/**
 * @param {string} kubeconfig
 * @param {string} namespace
 * @returns {import("../harness/calls.mjs").Callable<import("./drivers.mjs").Drivers>}
 */
export function startDrivers(kubeconfig, namespace) {
  return start(new URL("drivers.mjs", import.meta.url), [kubeconfig, namespace]);
}

/**
 * Drivers that do nothing wrong.
 *
 * @param {string} kubeconfig
 * @param {string} namespace
 * @returns {import("../harness/calls.mjs").Callable<import("./hostile/honest.mjs").Honest>}
 */
export function startHonest(kubeconfig, namespace) {
  return start(new URL("hostile/honest.mjs", import.meta.url), [kubeconfig, namespace]);
}

/**
 * Hostile drivers.
 *
 * @param {string} kubeconfig
 * @param {string} namespace
 * @param {string} only a text that the names of the attacks must contain
 * @returns {import("../harness/calls.mjs").Callable<import("./hostile/hostile.mjs").Hostile>}
 */
export function startHostile(kubeconfig, namespace, only) {
  return start(new URL("hostile/hostile.mjs", import.meta.url), [kubeconfig, namespace, only]);
}
