// @ts-check
/** @typedef {import("@kindling/kube").WatchEvent<import("kubernetes-types/core/v1.js").Pod>} PodEvent */
/**
 * @typedef {{ samples: number[], missing: number }} Late in milliseconds, in order; and how many changes only one side has seen
 */

/** How much later a driver sees a change than a watch of the API server itself, in the same process. */
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
   * The results since the last call.
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
   * @param {Map<string, number>} own changes that only this side has seen
   * @param {Map<string, number>} others changes that only the other side has seen
   * @param {1 | -1} sign
   */
  #met(event, own, others, sign) {
    if (event.type !== "MODIFIED" && event.type !== "ADDED") return;
    const { metadata, status } = event.object;
    // A driver knows of a pending executor before it is in the cluster.
    if (status?.phase !== "Running") return;
    const key = `${metadata?.name} ${status.message ?? ""}`;
    const now = performance.now();
    const other = others.get(key);
    if (other === undefined) {
      own.set(key, now);
      return;
    }
    others.delete(key);
    // If both sides see a change in the same turn of the event loop, it is chance which side is first.
    this.#samples.push(Math.max(0, sign * (other - now)));
  }
}
