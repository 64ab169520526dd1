/** How much later a driver learns of a change than one who watches the API server itself, in one process with it. */
export class Lateness {
  #server = new Map();
  #samples = [];
  #unseen = new Map();

  server(event) {
    this.#met(event, this.#server, this.#unseen, 1);
  }

  driver(event) {
    this.#met(event, this.#unseen, this.#server, -1);
  }

  /** How many changes the drivers have not seen yet. */
  get underWay() {
    return this.#server.size;
  }

  /** The samples since the last time, in milliseconds, in order; and how many changes one of the two has not seen. */
  take() {
    const samples = this.#samples.sort((a, b) => a - b);
    const missing = this.#server.size;
    this.#samples = [];
    this.#server.clear();
    this.#unseen.clear();
    return { samples, missing };
  }

  #met({ type, object }, own, others, sign) {
    if (type !== "MODIFIED" && type !== "ADDED") return;
    const { metadata, status } = object;
    // What is pending is known to the driver before it is in the cluster.
    if (status?.phase !== "Running") return;
    const key = `${metadata.name} ${status.message ?? ""}`;
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
