import type { Digest } from "@kindling/staging-client";
import type { Charge } from "./ledger.ts";

interface Entry {
  readonly charge: Charge;
  /** When it was entered, in milliseconds of the caller's clock. */
  readonly at: number;
}

/** Blobs that no bundle has, and the namespaces for which each of them counts. */
export class ChargedBlobs {
  readonly #byNamespace = new Map<string, Map<Digest, Entry>>();

  has(namespace: string, digest: Digest): boolean {
    return this.#byNamespace.get(namespace)?.has(digest) === true;
  }

  *digests(): Generator<Digest> {
    for (const blobs of this.#byNamespace.values()) yield* blobs.keys();
  }

  enter(namespace: string, digest: Digest, entry: Entry): void {
    this.drop(namespace, digest);
    const blobs = this.#byNamespace.get(namespace) ?? new Map<Digest, Entry>();
    this.#byNamespace.set(namespace, blobs.set(digest, entry));
  }

  drop(namespace: string, digest: Digest): void {
    const blobs = this.#byNamespace.get(namespace);
    blobs?.get(digest)?.charge.release();
    blobs?.delete(digest);
    if (blobs?.size === 0) this.#byNamespace.delete(namespace);
  }

  dropForAll(digest: Digest): void {
    for (const namespace of this.#byNamespace.keys()) this.drop(namespace, digest);
  }

  dropUnless(keeps: (namespace: string, digest: Digest, at: number) => boolean): void {
    for (const [namespace, blobs] of this.#byNamespace) {
      for (const [digest, { at }] of blobs) if (!keeps(namespace, digest, at)) this.drop(namespace, digest);
    }
  }
}
