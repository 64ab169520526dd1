import type { KubeObject } from "@kindling/kube-objects";
import { done, type ReconcileResult, type RunningController, type Term } from "@kindling/controller";
import { SCHEDULER_CA_CONFIG_MAP } from "@kindling/core-spec";
import { isAlreadyExists, isNotFound, resources } from "@kindling/kube";
import { objectsAt, textAt } from "../../json/fields.ts";
import type { Log } from "@kindling/service";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { isOver } from "../../spark/driver-phase.ts";
import { isGatewayDriver } from "../../spark/spark-pod.ts";

export interface CaPublisherOptions {
  readonly cluster: ClusterWatch;
  readonly log: Log;
  /** Certificates in PEM; if there are none, nothing is published. */
  readonly pem: () => string | undefined;
}

const ENTRY = "ca.crt";
const WORKERS = 4;
const BACK_OFF = { baseMs: 10_000, capMs: 10_000 };

/**
 * Publishes the certificates that drivers must trust in the namespaces of drivers that mount them. For each new driver it
 * checks whether they are still there, and writes only what is missing.
 */
export class CaPublisher {
  readonly #term: Term;
  readonly #options: CaPublisherOptions;
  /** Drivers whose namespace has been checked, or will be checked soon, by uid. */
  readonly #known = new Set<string>();
  /** Callbacks that wait for the next check of a namespace. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #running: RunningController;
  #isOver = false;

  constructor(term: Term, options: CaPublisherOptions) {
    this.#term = term;
    this.#options = options;
    const { cluster, log } = options;
    this.#running = term.run(
      {
        name: "ca-certificates",
        workers: WORKERS,
        watches: [cluster.podKeys((pod) => this.#namespaceOf(pod))],
        reconcile: (namespace) => this.#reconcile(namespace),
      },
      {
        backOff: BACK_OFF,
        onFault: (namespace, error) =>
          log.warn("the certificates for drivers cannot be published", { namespace, error: String(error) }),
      },
    );
    term.onEnd(() => {
      this.#isOver = true;
      for (const namespace of this.#waiting.keys()) this.#tellWaiting(namespace);
    });
  }

  /**
   * Resolves when the certificates are there for the driver, or when publishing has failed. In the second case it is tried
   * again, and the pod waits.
   */
  async published(driver: KubeObject): Promise<void> {
    if (this.#isOver || this.#options.pem() === undefined || !mountsCertificates(driver)) return;
    const { uid, namespace = "" } = driver.metadata;
    if (this.#known.has(uid) && !this.#running.has(namespace)) return;
    this.#known.add(uid);
    await new Promise<void>((resolve) => {
      this.#waiting.set(namespace, [...(this.#waiting.get(namespace) ?? []), resolve]);
      this.#running.add(namespace);
    });
  }

  /** The certificates have changed. */
  renew(): void {
    this.#known.clear();
    for (const driver of this.#options.cluster.gatewayDrivers())
      this.#namespaceOf(driver).forEach((namespace) => this.#running.add(namespace));
  }

  /** The namespace of a driver that has just come and mounts the certificates. */
  #namespaceOf(pod: KubeObject): readonly string[] {
    const { uid, namespace = "" } = pod.metadata;
    if (!isGatewayDriver(pod)) return [];
    if (this.#known.has(uid) || isOver(pod) || !mountsCertificates(pod)) return [];
    this.#known.add(uid);
    return [namespace];
  }

  async #reconcile(namespace: string): Promise<ReconcileResult> {
    if (this.#options.pem() === undefined) return done;
    this.#forgetGone();
    try {
      if (await this.#put(namespace)) {
        this.#options.log.info("the certificates for drivers were published", { namespace });
      }
      return done;
    } finally {
      this.#tellWaiting(namespace);
    }
  }

  #forgetGone(): void {
    const there = new Set(this.#options.cluster.gatewayDrivers().map(({ metadata }) => metadata.uid));
    for (const uid of this.#known) if (!there.has(uid)) this.#known.delete(uid);
  }

  #tellWaiting(namespace: string): void {
    const waiting = this.#waiting.get(namespace) ?? [];
    this.#waiting.delete(namespace);
    for (const wake of waiting) wake();
  }

  /** Returns whether something was written. */
  async #put(namespace: string): Promise<boolean> {
    const { client } = this.#term;
    const { pem } = this.#options;
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
        // Another gateway has created it first.
        if (!isAlreadyExists(error)) throw error;
      }
    } else if (textAt(there, "data", ENTRY) === data[ENTRY]) return false;
    await client.patch(UPSTREAM.configmaps, name, "merge", { data }, { namespace });
    return true;
  }

  async #there(namespace: string): Promise<KubeObject | undefined> {
    try {
      return await this.#term.client.get(UPSTREAM.configmaps, SCHEDULER_CA_CONFIG_MAP, { namespace });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

/** Drivers may get their certificates from elsewhere. */
function mountsCertificates(driver: KubeObject): boolean {
  const sources = objectsAt(driver, "spec", "volumes").flatMap((volume) => objectsAt(volume, "projected", "sources"));
  return sources.some((source) => textAt(source, "configMap", "name") === SCHEDULER_CA_CONFIG_MAP);
}
