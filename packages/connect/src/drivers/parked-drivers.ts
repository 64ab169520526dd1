import { isConflict, isKubeError, isNotFound, type KubeClient, resources } from "@kindling/kube";
import type { Cache } from "@kindling/controller";
import type { Clock } from "@kindling/outside";
import { GrpcError } from "../grpc/grpc-status.ts";
import type { Profile } from "../profiles/profile.ts";
import { driverRecord, type DriverRecord, isGone, KEY_LABEL } from "./driver-record.ts";
import { type DriverOwner, ownerAnnotations, ownerLabels } from "./make-driver.ts";

export interface ParkedDriversOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly cache: Cache<DriverRecord, "key" | "profile">;
  /** Whether a driver is known to accept calls. */
  readonly isReady: (uid: string) => boolean;
}

/** The start of a driver takes all processors of a small node. The first query of a session should have them. */
const REPLACEMENT_MS = 2000;

/** The drivers that wait for a session, and the sessions that take them. */
export class ParkedDrivers {
  readonly #options: ParkedDriversOptions;
  /** The uids of drivers that somebody is taking. */
  readonly #taken = new Set<string>();
  /** When the first driver was taken that has no replacement yet, by profile, monotonic milliseconds. */
  readonly #missingSince = new Map<string, number>();

  constructor(options: ParkedDriversOptions) {
    this.#options = options;
  }

  /**
   * Takes a driver for sessions.
   *
   * @returns the name of its pod; `undefined` if none waits
   * @throws GrpcError
   */
  async take(profile: Profile, owner: DriverOwner): Promise<string | undefined> {
    for (const parked of this.#waiting(profile)) {
      this.#taken.add(parked.uid);
      if (await this.#take(parked, owner)) {
        const since = this.#missingSince.get(profile.name) ?? this.#options.clock.monotonic();
        this.#missingSince.set(profile.name, since);
        return parked.name;
      }
      this.#taken.delete(parked.uid);
    }
    return undefined;
  }

  /** How long to wait until a profile's drivers that were taken are replaced, milliseconds. */
  replacementMs(profile: string): number {
    const since = this.#missingSince.get(profile);
    return since === undefined ? 0 : Math.max(0, since + REPLACEMENT_MS - this.#options.clock.monotonic());
  }

  /** Notes that a profile's drivers that were taken have been replaced. */
  replaced(profile: string): void {
    this.#missingSince.delete(profile);
  }

  /** Makes a parked driver belong to a session, unless another process was faster. */
  async #take({ name, namespace, uid }: DriverRecord, owner: DriverOwner): Promise<boolean> {
    const { client } = this.#options;
    try {
      const pod = await client.get(resources.pods, name, { namespace });
      const { resourceVersion, labels = {} } = pod.metadata ?? {};
      const record = driverRecord(pod);
      if (KEY_LABEL in labels || record === undefined || isGone(record)) return false;
      const metadata = { uid, resourceVersion, labels: ownerLabels(owner), annotations: ownerAnnotations(owner) };
      await client.patch(resources.pods, name, "merge", { metadata }, { namespace });
      return true;
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return false;
      throw unreachable(error);
    }
  }

  /** Those that accept calls first. */
  #waiting(profile: Profile): readonly DriverRecord[] {
    const { cache, isReady } = this.#options;
    return [...cache.byIndex("profile", profile.name)]
      .filter((driver) => driver.key === undefined && !isGone(driver) && !this.#taken.has(driver.uid))
      .toSorted((a, b) => Number(isReady(b.uid)) - Number(isReady(a.uid)) || a.created - b.created);
  }
}

function unreachable(cause: unknown): GrpcError {
  if (isKubeError(cause) && cause.kind === "status" && cause.status === 403)
    return new GrpcError("FAILED_PRECONDITION", `kindling-connect lacks a right: ${cause.message}`, { cause });
  return new GrpcError("UNAVAILABLE", "the API server cannot be asked for a driver at present", { cause });
}
