import type { KubeObject } from "@kindling/api-server";
import { SCHEDULER_CA_CONFIG_MAP } from "@kindling/core-spec";
import { isAlreadyExists, isNotFound, type KubeClient, resources } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import { objectsAt, textAt } from "../json/fields.ts";
import type { Log } from "@kindling/service";
import { UPSTREAM } from "../upstream/upstream-types.ts";
import { isOver } from "../spark/driver-phase.ts";

export interface CaPublisherOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Certificates in PEM; where there are none, nothing is published. */
  readonly pem: () => string | undefined;
  /** The drivers of the gateway that have not ended. */
  readonly drivers: () => readonly KubeObject[];
}

const ENTRY = "ca.crt";
/** After a failure. */
const AGAIN_MS = 10_000;

/**
 * Keeps the certificates that drivers are to trust in the namespaces of those that mount them. Each new driver is a reason
 * to look whether they are still there; nothing is written that is there already.
 */
export class CaPublisher {
  readonly #options: CaPublisherOptions;
  /** What has been done for each driver, by uid. */
  readonly #forDriver = new Map<string, Promise<void>>();
  /** What is under way, by namespace. */
  readonly #underWay = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(options: CaPublisherOptions) {
    this.#options = options;
  }

  /** Sees to drivers that have come. */
  look(): void {
    if (this.#options.pem() === undefined) return;
    const drivers = this.#options.drivers().filter((driver) => !isOver(driver) && mountsCertificates(driver));
    const uids = new Set(drivers.map(({ metadata }) => metadata.uid));
    for (const uid of this.#forDriver.keys()) if (!uids.has(uid)) this.#forDriver.delete(uid);
    for (const driver of drivers) void this.published(driver);
  }

  /** Resolves when a driver finds the certificates, or when that has failed: then it is tried again, and the pod waits. */
  async published(driver: KubeObject): Promise<void> {
    if (this.#isStopped || this.#options.pem() === undefined || !mountsCertificates(driver)) return;
    const { uid, namespace = "" } = driver.metadata;
    const known = this.#forDriver.get(uid) ?? this.#publish(namespace);
    this.#forDriver.set(uid, known);
    await known;
  }

  /** There are other certificates now. */
  renew(): void {
    this.#forDriver.clear();
    this.look();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #publish(namespace: string): Promise<void> {
    const before = this.#underWay.get(namespace) ?? Promise.resolve();
    const publishing = before.then(() => this.#write(namespace));
    this.#underWay.set(namespace, publishing);
    await publishing;
    if (this.#underWay.get(namespace) === publishing) this.#underWay.delete(namespace);
  }

  async #write(namespace: string): Promise<void> {
    const { log, clock } = this.#options;
    try {
      if (await this.#put(namespace)) log.info("the certificates for drivers were published", { namespace });
    } catch (error) {
      log.warn("the certificates for drivers cannot be published", { namespace, error: String(error) });
      clock.after(AGAIN_MS, () => {
        for (const driver of this.#options.drivers()) {
          if (driver.metadata.namespace === namespace) this.#forDriver.delete(driver.metadata.uid);
        }
        this.look();
      });
    }
  }

  /** Whether there was anything to write. */
  async #put(namespace: string): Promise<boolean> {
    const { client, pem } = this.#options;
    const name = SCHEDULER_CA_CONFIG_MAP;
    const data = { [ENTRY]: pem() ?? "" };
    const there = await this.#there(namespace);
    if (there === undefined) {
      const labels = { "app.kubernetes.io/managed-by": "kindling-gateway" };
      const map = { kind: "ConfigMap", apiVersion: "v1", metadata: { name, namespace, labels }, data };
      try {
        await client.create(resources.configmaps, map, { namespace });
        return true;
      } catch (error) {
        // Another gateway was there first.
        if (!isAlreadyExists(error)) throw error;
      }
    } else if (textAt(there, "data", ENTRY) === data[ENTRY]) return false;
    await client.patch(UPSTREAM.configmaps, name, "merge", { data }, { namespace });
    return true;
  }

  async #there(namespace: string): Promise<KubeObject | undefined> {
    try {
      return await this.#options.client.get(UPSTREAM.configmaps, SCHEDULER_CA_CONFIG_MAP, { namespace });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

/** Drivers may have their certificates from elsewhere. */
function mountsCertificates(driver: KubeObject): boolean {
  const sources = objectsAt(driver, "spec", "volumes").flatMap((volume) => objectsAt(volume, "projected", "sources"));
  return sources.some((source) => textAt(source, "configMap", "name") === SCHEDULER_CA_CONFIG_MAP);
}
