import type { KubeObject } from "@kindling/kube-objects";
import { type ApiError, forbidden, tooManyRequests } from "@kindling/api-server";
import { isNotFound, type KubeClient } from "@kindling/kube";
import type { ObjectLimits } from "../../config/object-limits.ts";
import type { Applications } from "../../views/applications/applications.ts";
import { forward } from "../../cluster/forward.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import type { SetKind } from "../../spark/set-marks.ts";
import { MADE, type MadeSizes, readMade, writeMade } from "./made-mark.ts";

/** Kinds of objects that are created at once for a driver, and that the gateway does not watch. */
export type MadeKind = "configmaps" | SetKind;

export type MadeLimits = Pick<
  ObjectLimits,
  "objects.configMapsPerApplication" | "objects.setsPerApplication" | "objects.storedPerApplication" | "objects.stored"
>;

export interface MadeObjectsOptions {
  readonly applications: Pick<Applications, "subscribe">;
  readonly client: KubeClient;
  readonly limits: MadeLimits;
  /** The pods of all running drivers. */
  readonly drivers: () => Iterable<KubeObject>;
}

/** An object that is to be created. */
export interface ToBeMade {
  readonly kind: MadeKind;
  readonly name: string;
  readonly bytes: number;
}

/**
 * How many ConfigMaps and sets drivers have created, and how large these are. It is written on the driver's pod before
 * anything is created, so that a new gateway continues the count. It is deleted with the pod, as the objects are.
 */
export class MadeObjects {
  readonly #options: MadeObjectsOptions;
  /** By the uid of the driver. */
  readonly #known = new Map<string, Map<string, number>>();
  /** Running writes to drivers' pods: one after the other. */
  readonly #writing = new Map<string, Promise<unknown>>();

  constructor(options: MadeObjectsOptions) {
    this.#options = options;
    options.applications.subscribe({ ended: ({ driverUid }) => this.#ended(driverUid) });
  }

  /**
   * Counts an object before it is created. If it was counted before, the new size replaces the old one.
   *
   * @throws ApiError 403 if the driver has too many or too large objects, 429 if all drivers together have, or the API
   * server's answer if the mark cannot be written
   */
  async count(driver: KubeObject, object: ToBeMade): Promise<void> {
    const sizes = this.#of(driver);
    const key = keyOf(object);
    if (sizes.get(key) === object.bytes) return;
    if (this.#refusal(driver, object) !== undefined) await this.#dropGone(driver);
    const refused = this.#refusal(driver, object);
    if (refused !== undefined) throw refused;
    sizes.set(key, object.bytes);
    await this.#mark(driver);
  }

  /** Objects have been deleted. The mark says so when the next one is made. */
  forget(driver: KubeObject, kind: MadeKind, names: Iterable<string>): void {
    const sizes = this.#of(driver);
    for (const name of names) sizes.delete(keyOf({ kind, name }));
  }

  /** A driver has ended: what it has created is deleted with it. */
  #ended(driverUid: string): void {
    this.#known.delete(driverUid);
    this.#writing.delete(driverUid);
  }

  #refusal(driver: KubeObject, { kind, name, bytes }: ToBeMade): ApiError | undefined {
    const { limits, drivers } = this.#options;
    const resource = { group: kind === "configmaps" ? "" : "apps", resource: kind };
    const others = new Map(this.#of(driver));
    others.delete(keyOf({ kind, name }));
    const most =
      kind === "configmaps" ? limits["objects.configMapsPerApplication"] : limits["objects.setsPerApplication"];
    const isAlike = (key: string): boolean => key.startsWith("configmaps/") === (kind === "configmaps");
    if ([...others.keys()].filter(isAlike).length >= most) {
      const what = kind === "configmaps" ? "ConfigMaps" : "StatefulSets and Deployments";
      return forbidden(resource, name, `a driver may have ${most} ${what}; delete some first`);
    }
    const own = sum(others) + bytes;
    if (own > limits["objects.storedPerApplication"]) {
      const allowed = `${limits["objects.storedPerApplication"]} bytes`;
      return forbidden(
        resource,
        name,
        `the ConfigMaps and sets of a driver may have ${allowed} together; delete some first`,
      );
    }
    let all = own;
    for (const other of drivers()) if (other.metadata.uid !== driver.metadata.uid) all += this.#bytesOf(other);
    if (all <= limits["objects.stored"]) return undefined;
    return tooManyRequests("the ConfigMaps and sets of all drivers together are too large; try again later", 10);
  }

  #of(driver: KubeObject): Map<string, number> {
    const { uid } = driver.metadata;
    const known = this.#known.get(uid) ?? new Map(readMade(driver));
    this.#known.set(uid, known);
    return known;
  }

  #bytesOf(driver: KubeObject): number {
    return sum(this.#known.get(driver.metadata.uid) ?? readMade(driver));
  }

  async #mark(driver: KubeObject): Promise<void> {
    const { client } = this.#options;
    const { name, namespace, uid } = driver.metadata;
    const written = (this.#writing.get(uid) ?? Promise.resolve()).then(async () => {
      const annotations = { [MADE]: writeMade(uid, this.#of(driver)) };
      await forward(() =>
        client.patch(UPSTREAM.pods, name, "merge", { metadata: { uid, annotations } }, { namespace }),
      );
    });
    this.#writing.set(
      uid,
      written.catch(() => undefined),
    );
    await written;
  }

  /** Removes from the count what somebody else has deleted. */
  async #dropGone(driver: KubeObject): Promise<void> {
    const sizes = this.#of(driver);
    const { namespace } = driver.metadata;
    for (const key of [...sizes.keys()]) {
      const [plural, name = ""] = key.split("/");
      const kind = KINDS.find((one) => one === plural);
      if (kind === undefined || !(await this.#isThere(kind, name, namespace))) sizes.delete(key);
    }
  }

  async #isThere(kind: MadeKind, name: string, namespace: string | undefined): Promise<boolean> {
    try {
      await this.#options.client.get(UPSTREAM[kind], name, { namespace });
      return true;
    } catch (error) {
      return !isNotFound(error);
    }
  }
}

const KINDS: readonly MadeKind[] = ["configmaps", "statefulsets", "deployments"];

function keyOf({ kind, name }: Pick<ToBeMade, "kind" | "name">): string {
  return `${kind}/${name}`;
}

function sum(sizes: MadeSizes): number {
  let bytes = 0;
  for (const size of sizes.values()) bytes += size;
  return bytes;
}
