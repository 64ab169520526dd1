// @ts-check
import { resources } from "@kindling/kube";
import { sleep } from "../harness/wait.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */

const EVERY_MS = 500;
const OVER = new Set(["Succeeded", "Failed"]);

/**
 * Adds up what executors of a namespace have of the node's cores, until it is ended: from the time when a pod has its node
 * until it is over or gone. What a resize gives back does not count any more, and what a keeper still has does.
 *
 * @param {KubeClient} client
 * @param {string} namespace
 * @returns {() => Promise<number>} ends it, and returns core-seconds
 */
export function countCoreSeconds(client, namespace) {
  let total = 0;
  const end = new AbortController();
  const work = (async () => {
    let before = performance.now();
    while (!end.signal.aborted) {
      const { items } = await client.listAll(resources.pods, { namespace, labelSelector: "spark-role=executor" });
      const now = performance.now();
      const cores = items
        .filter(({ spec, status }) => spec?.nodeName !== undefined && !OVER.has(status?.phase ?? ""))
        .reduce((sum, pod) => sum + coresOf(pod), 0);
      total += (cores * (now - before)) / 1000;
      before = now;
      await sleep(EVERY_MS);
    }
  })();
  return async () => {
    end.abort();
    await work;
    return total;
  };
}

/** @param {{ spec?: { containers: readonly { resources?: { requests?: Readonly<Record<string, string>> } }[] } }} pod */
function coresOf({ spec }) {
  return (spec?.containers ?? []).reduce(
    (sum, { resources: asked }) => sum + cores(asked?.requests?.["cpu"] ?? "0"),
    0,
  );
}

/** @param {string} quantity */
function cores(quantity) {
  return quantity.endsWith("m") ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity);
}
