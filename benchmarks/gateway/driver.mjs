import https from "node:https";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { watchOverSocket } from "./watch-socket.mjs";

// Spark 4.3.0's defaults.
const BATCH = 10;
const BATCH_DELAY_MS = 1_000;
const POLL_MS = 30_000;

const RECORDING = new URL("../../recordings/driver-traffic/4.3.0/minimal.json", import.meta.url);
const recorded = JSON.parse(readFileSync(RECORDING, "utf8"));
const EXECUTOR = bodyOf("pods");
const CONFIG_MAP = bodyOf("configmaps");

function bodyOf(resource) {
  return JSON.stringify(recorded.find(({ method, path }) => method === "POST" && path.endsWith(`/${resource}`)).body);
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks for what a driver of Spark 4.3.0 asks for, in its order and at its times. */
export class Driver {
  /** The phase of each executor, as the watch has shown it last. */
  phases = new Map();
  #options;
  #agent;
  #asked = 0;
  /** Executors that have been asked for and not been seen. */
  #unseen = new Set();
  #changed = () => undefined;
  #end = [];

  /**
   * @param options.onEvent called with each event of the watch
   * @param options.onAnswer called with the time that each request took, in milliseconds
   * @param options.executor what is different in its executors' specs from those of the recording
   */
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

  /** What a driver does before it asks for executors. */
  async begin() {
    const { name } = this.#options;
    await this.#send("GET", `pods/${name}`);
    await this.#send("GET", `pods?fieldSelector=metadata.name%3D${name}`);
    const path = this.#path(`pods?allowWatchBookmarks=true&labelSelector=${this.#selector}&watch=true`);
    const socket = await watchOverSocket({ ...this.#options, path, onEvent: (event) => this.#seen(event) });
    await this.#send("POST", "configmaps", this.#filledIn(CONFIG_MAP, 0));
    // One that fails is followed by the next.
    const poll = setInterval(() => void this.list().catch(() => undefined), POLL_MS);
    this.#end = [() => clearInterval(poll), () => socket.destroy(), () => this.#agent.destroy()];
  }

  /** Has so many executors more, in batches, until all of its executors have been seen to run. */
  async allocate(count) {
    const wanted = this.#asked + count;
    while (this.#asked < wanted) {
      await this.batch(wanted);
      await sleep(BATCH_DELAY_MS);
      while (this.#unseen.size > 0) await new Promise((resolve) => (this.#changed = resolve));
    }
    while (this.running < wanted) await new Promise((resolve) => (this.#changed = resolve));
  }

  /** Lists its executors, as it does from time to time; gives how many the gateway shows. */
  async list() {
    const answer = await this.#send("GET", `pods?labelSelector=${this.#selector}`);
    return JSON.parse(answer).items.length;
  }

  /** Asks for one executor more, and deletes it again. */
  async exchange() {
    const pod = this.#filledIn(EXECUTOR, ++this.#asked);
    await this.#send("POST", "pods", pod);
    await this.#send("DELETE", `pods/${pod.metadata.name}`);
  }

  /** Asks for a batch of executors if there are not as many as wanted. A batch has to be seen before the next. */
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

  /** Is heard of no more, as one that was killed. */
  leave() {
    for (const step of this.#end) step();
  }

  #seen(event) {
    this.#options.onEvent?.(event);
    if (event.type === "BOOKMARK") return;
    const { metadata, status } = event.object;
    this.#unseen.delete(metadata.name);
    if (event.type === "DELETED") this.phases.delete(metadata.name);
    else this.phases.set(metadata.name, status?.phase);
    this.#changed();
  }

  get #mine() {
    return encodeURIComponent(`spark-app-selector=${this.application}`);
  }

  get #selector() {
    return encodeURIComponent(`spark-app-selector=${this.application},spark-role=executor,spark-exec-inactive!=true`);
  }

  #path(rest) {
    return `/api/v1/namespaces/${this.#options.namespace}/${rest}`;
  }

  #filledIn(body, id) {
    const { name, uid, namespace, executor } = this.#options;
    const object = JSON.parse(
      body.replaceAll("{appId}", this.application).replaceAll("{id}", uniqueId(uid)).replaceAll("{uuid}", uid),
    );
    object.metadata.namespace = namespace;
    object.metadata.ownerReferences[0] = { ...object.metadata.ownerReferences[0], name, uid };
    if (id === 0) return object;
    object.metadata.name = object.spec.hostname = `${name}-exec-${id}`;
    object.metadata.labels["spark-exec-id"] = String(id);
    object.spec = { ...object.spec, serviceAccountName: "spark", ...executor };
    return object;
  }

  async #send(method, rest, body) {
    const { uri, token } = this.#options;
    const data = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      Authorization: `Bearer ${token}`,
      "User-Agent": "fabric8-kubernetes-client/7.6.1",
      ...(data !== undefined && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(data) }),
    };
    const began = performance.now();
    const response = await this.#exchange(
      new URL(this.#path(rest), uri),
      { method, headers, agent: this.#agent },
      data,
    );
    const answer = await text(response);
    this.#options.onAnswer?.(performance.now() - began);
    if (response.statusCode >= 300) throw new Error(`${method} ${rest}: ${response.statusCode} ${answer}`);
    return answer;
  }

  async #exchange(url, options, data) {
    return await new Promise((resolve, reject) => {
      const request = https.request(url, options, resolve);
      request.on("error", (error) => {
        // The server may close a connection that was idle in the very moment in which it is used again.
        if (request.reusedSocket && error.code === "ECONNRESET") resolve(this.#exchange(url, options, data));
        else reject(error);
      });
      request.end(data);
    });
  }
}

/** What Spark makes up for names, here one for each driver. */
function uniqueId(uid) {
  return uid.replaceAll("-", "").slice(0, 16);
}
