// @ts-check
import https from "node:https";
import { readFileSync } from "node:fs";
import { sleep } from "../harness/wait.mjs";
import { exchange } from "./exchange.mjs";
import { watchOverSocket } from "./watch-socket.mjs";

// Spark 4.3.0's defaults.
const BATCH = 10;
const BATCH_DELAY_MS = 1_000;
const POLL_MS = 30_000;

const RECORDING = new URL("../../recordings/driver-traffic/4.3.0/minimal.json", import.meta.url);
/** @type {readonly { method: string, path: string, body?: object }[]} */
const recorded = JSON.parse(readFileSync(RECORDING, "utf8"));
const EXECUTOR = bodyOf("pods");
const CONFIG_MAP = bodyOf("configmaps");

/** @param {"pods" | "configmaps"} resource */
function bodyOf(resource) {
  const found = recorded.find(({ method, path }) => method === "POST" && path.endsWith(`/${resource}`));
  if (found === undefined) throw new Error(`the recording has no request for ${resource}`);
  return JSON.stringify(found.body);
}

/**
 * @typedef {object} DriverOptions
 * @property {string} name of its pod
 * @property {string} uid of its pod
 * @property {string} namespace
 * @property {string} uri of the gateway
 * @property {string} ca its authority
 * @property {string} token
 * @property {(event: import("./lateness.mjs").PodEvent) => void} [onEvent] called with each event of the watch
 * @property {(milliseconds: number) => void} [onAnswer] called with the time that each request took
 * @property {(driver: Driver) => void} [onWatchEnd] called when the gateway ends its watch; without it, that is an error
 * @property {(name: string) => void} [onDelete] called before a request that deletes one executor
 * @property {object} executor fields of the executors' specs that differ from the recording
 * @property {readonly object[]} [first] containers of executors, before Spark's own
 */

/**
 * An object that a driver creates, as in the recording.
 *
 * @typedef {object} Recorded
 * @property {{ name: string, namespace?: string, labels: Record<string, string>, ownerReferences: object[] }} metadata
 * @property {{ hostname?: string, serviceAccountName?: string, containers?: object[] }} spec
 */

/** Sends the requests of a driver of Spark 4.3.0, in the same order and at the same times. */
export class Driver {
  /**
   * The last phase of each executor that the watch has shown.
   *
   * @type {Map<string, string | undefined>}
   */
  phases = new Map();
  #options;
  #agent;
  #asked = 0;
  /**
   * Executors that were requested but not seen yet.
   *
   * @type {Set<string>}
   */
  #unseen = new Set();
  /**
   * Executors that had ended and were deleted: events that still come do not matter, as in `ExecutorPodsLifecycleManager`.
   *
   * @type {Set<string>}
   */
  #deleted = new Set();
  #changed = () => {};
  #closeWatch = () => {};
  /** @type {(() => void)[]} */
  #end = [];

  /** @param {DriverOptions} options */
  constructor(options) {
    this.#options = options;
    this.#agent = new https.Agent({ keepAlive: true, maxSockets: 4, ca: options.ca });
  }

  get application() {
    return `spark-${this.#options.name}`;
  }

  get running() {
    return [...this.phases.values()].filter((phase) => phase === "Running").length;
  }

  /** What a driver does before it requests executors. */
  async begin() {
    const { name } = this.#options;
    await this.#send("GET", `pods/${name}`);
    await this.#send("GET", `pods?fieldSelector=metadata.name%3D${name}`);
    await this.watch();
    await this.#send("POST", "configmaps", this.#filledIn(CONFIG_MAP, 0));
    // If a poll fails, the next one follows.
    const poll = setInterval(() => void this.list().catch(() => undefined), POLL_MS);
    this.#end = [() => clearInterval(poll), () => this.#closeWatch(), () => this.#agent.destroy()];
  }

  /** Watches its executors; to be called again when the gateway was away. */
  async watch() {
    this.#closeWatch();
    const path = this.#path(`pods?allowWatchBookmarks=true&labelSelector=${this.#selector}&watch=true`);
    const { onWatchEnd } = this.#options;
    const socket = await watchOverSocket({
      ...this.#options,
      path,
      onEvent: (event) => this.#seen(event),
      ...(onWatchEnd && { onEnd: () => onWatchEnd(this) }),
    });
    this.#closeWatch = () => void socket.destroy();
  }

  /**
   * Requests this many executors more, in batches, until all of its executors have been seen running.
   *
   * @param {number} count
   */
  async allocate(count) {
    const wanted = this.#asked + count;
    while (this.#asked < wanted) {
      await this.batch(wanted);
      await sleep(BATCH_DELAY_MS);
      while (this.#unseen.size > 0) await this.#change();
    }
    while (this.running < wanted) await this.#change();
  }

  /** @returns {Promise<void>} resolved with the next event */
  #change() {
    return new Promise((resolve) => (this.#changed = resolve));
  }

  /** Lists its executors, as it does from time to time; returns how many the gateway shows. */
  async list() {
    /** @type {{ items: readonly object[] }} */
    const { items } = JSON.parse(await this.#send("GET", `pods?labelSelector=${this.#selector}`));
    return items.length;
  }

  /** Requests one more executor, and deletes it again. */
  async exchange() {
    const pod = this.#filledIn(EXECUTOR, ++this.#asked);
    await this.#send("POST", "pods", pod);
    await this.#send("DELETE", `pods/${pod.metadata.name}`);
  }

  /**
   * Requests a batch of executors if there are not enough. The executors of a batch must be seen before the next batch.
   *
   * @param {number} wanted
   */
  async batch(wanted) {
    const missing = Math.min(BATCH, wanted - this.phases.size);
    if (this.#unseen.size > 0 || missing <= 0) return;
    await this.#send("GET", `persistentvolumeclaims?labelSelector=${this.#mine}`);
    for (let index = 0; index < missing; index++) {
      const pod = this.#filledIn(EXECUTOR, ++this.#asked);
      this.#unseen.add(pod.metadata.name);
      await this.#send("POST", "pods", pod);
    }
  }

  /**
   * Gives executors back. They may be gone already.
   *
   * @param {...string} names
   */
  async release(...names) {
    const ids = names.map((name) => name.slice(name.lastIndexOf("-") + 1));
    const selector = encodeURIComponent(
      `spark-app-selector=${this.application},spark-role=executor,spark-exec-id in (${ids.join(",")})`,
    );
    await this.#send("DELETE", `pods?labelSelector=${selector}`);
  }

  /** Gives all of its executors back, until it sees none of them. */
  async letGo() {
    await this.release(...this.phases.keys());
    await this.deleteEnded();
  }

  /** Deletes executors that have ended, one after the other, as Spark does, until it sees none of its executors. */
  async deleteEnded() {
    while (this.phases.size > 0) {
      const ended = [...this.phases].filter(([, phase]) => phase === "Failed" || phase === "Succeeded");
      for (const [name] of ended) {
        this.#options.onDelete?.(name);
        this.#deleted.add(name);
        await this.#send("DELETE", `pods/${name}`);
        this.phases.delete(name);
      }
      if (ended.length === 0) await this.#change();
    }
  }

  /** What a driver does when it stops. */
  async finish() {
    const background = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" };
    const ofExecutors = encodeURIComponent(`spark-app-selector=${this.application},spark-role=executor`);
    await this.#send("DELETE", `services?labelSelector=${this.#mine}`, background);
    await this.#send("DELETE", `persistentvolumeclaims?labelSelector=${this.#mine}`, background);
    await this.#send("DELETE", `pods?labelSelector=${ofExecutors}`, background);
    await this.#send("DELETE", `configmaps?labelSelector=${ofExecutors}`, background);
    this.leave();
  }

  /** Stops without a word, like a driver that was killed. */
  leave() {
    for (const step of this.#end) step();
  }

  /** @param {import("./lateness.mjs").PodEvent} event */
  #seen(event) {
    this.#options.onEvent?.(event);
    if (event.type === "BOOKMARK") return;
    const { metadata: { name = "" } = {}, status } = event.object;
    this.#unseen.delete(name);
    if (event.type === "DELETED" || this.#deleted.has(name)) this.phases.delete(name);
    else this.phases.set(name, status?.phase);
    this.#changed();
  }

  get #mine() {
    return encodeURIComponent(`spark-app-selector=${this.application}`);
  }

  get #selector() {
    return encodeURIComponent(`spark-app-selector=${this.application},spark-role=executor,spark-exec-inactive!=true`);
  }

  /** @param {string} rest */
  #path(rest) {
    return `/api/v1/namespaces/${this.#options.namespace}/${rest}`;
  }

  /**
   * @param {string} body from the recording
   * @param {number} id of an executor; 0 for other objects
   */
  #filledIn(body, id) {
    const { name, uid, namespace, executor, first = [] } = this.#options;
    /** @type {Recorded} */
    const object = JSON.parse(
      body.replaceAll("{appId}", this.application).replaceAll("{id}", uniqueId(uid)).replaceAll("{uuid}", uid),
    );
    object.metadata.namespace = namespace;
    object.metadata.ownerReferences[0] = { ...object.metadata.ownerReferences[0], name, uid };
    if (id === 0) return object;
    object.metadata.name = object.spec.hostname = `${name}-exec-${id}`;
    object.metadata.labels["spark-exec-id"] = String(id);
    const containers = [...first, ...(object.spec.containers ?? [])];
    object.spec = { ...object.spec, containers, serviceAccountName: "spark", ...executor };
    return object;
  }

  /**
   * @param {"GET" | "POST" | "DELETE"} method
   * @param {string} rest of the path, after the namespace
   * @param {object} [body]
   */
  async #send(method, rest, body) {
    const { uri, token } = this.#options;
    const data = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      Authorization: `Bearer ${token}`,
      "User-Agent": "fabric8-kubernetes-client/7.6.1",
      ...(data !== undefined && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(data) }),
    };
    const began = performance.now();
    const { status, answer } = await exchange(
      new URL(this.#path(rest), uri),
      { method, headers, agent: this.#agent },
      data,
    );
    this.#options.onAnswer?.(performance.now() - began);
    if (status >= 300) throw new Error(`${method} ${rest}: ${status} ${answer}`);
    return answer;
  }
}

/**
 * A unique part of names. Spark makes it at random; here it is the same for all objects of a driver.
 *
 * @param {string} uid
 */
function uniqueId(uid) {
  return uid.replaceAll("-", "").slice(0, 16);
}
