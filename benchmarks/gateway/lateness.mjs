// @ts-check
/** @typedef {import("@kindling/kube").WatchEvent<import("kubernetes-types/core/v1.js").Pod>} PodEvent */
/** @typedef {{ samples: number[], missing: number }} Late in milliseconds, in order; and how many changes one of the two has not seen */

/** How much later a driver learns of a change than one who watches the API server itself, in one process with it. */
export class Lateness {
  /** @type {Map<string, number>} */
  #server = new Map();
  /** @type {number[]} */
  #samples = [];
  /** @type {Map<string, number>} */
  #unseen = new Map();

  /** @param {PodEvent} event of a watch of the API server itself */
  server(event) {
    this.#met(event, this.#server, this.#unseen, 1);
  }

  /** @param {PodEvent} event of a driver's watch */
  driver(event) {
    this.#met(event, this.#unseen, this.#server, -1);
  }

  /** How many changes the drivers have not seen yet. */
  get underWay() {
    return this.#server.size;
  }

  /**
   * What there is since the last time.
   *
   * @returns {Late}
   */
  take() {
    const samples = this.#samples.sort((a, b) => a - b);
    const missing = this.#server.size;
    this.#samples = [];
    this.#server.clear();
    this.#unseen.clear();
    return { samples, missing };
  }

  /**
   * @param {PodEvent} event
   * @param {Map<string, number>} own changes that only this one has seen
   * @param {Map<string, number>} others those that only the other one has
   * @param {1 | -1} sign
   */
  #met(event, own, others, sign) {
    if (event.type !== "MODIFIED" && event.type !== "ADDED") return;
    const { metadata, status } = event.object;
    // What is pending is known to the driver before it is in the cluster.
    if (status?.phase !== "Running") return;
    const key = `${metadata?.name} ${status.message ?? ""}`;
    const now = performance.now();
    const other = others.get(key);
    if (other === undefined) {
      own.set(key, now);
      return;
    }
    others.delete(key);
    // Who sees it first is chance where both see it in one turn of the loop.
    this.#samples.push(Math.max(0, sign * (other - now)));
  }
}
