import type { Digest } from "@kindling/staging-client";
import type { Charge, Ledger } from "../ledger/ledger.ts";
import { blobOf } from "../ledger/weights.ts";
import { sortedIds, type SortedIds } from "./sorted-ids.ts";

/** What a namespace's bundles hold together. */
export interface NamespaceFiles {
  readonly bundles: number;
  /** Bytes of the distinct blobs. */
  readonly bytes: number;
  has(digest: Digest): boolean;
  /** The size of a blob that they hold. */
  sizeOf(digest: Digest): number | undefined;
}

/** A blob of a namespace: bundles share most of their files, so all of them refer to this object. */
export interface NamespaceBlob {
  readonly digest: Digest;
  readonly size: number;
}

/** Called for a blob that no bundle of a namespace has any more. */
export type LeftBehind = (namespace: string, digest: Digest, size: number) => void;

interface CountedBlob extends NamespaceBlob {
  bundles: number;
  readonly charge: Charge;
}

/** The bundles of one namespace, and their blobs, each of which counts once. */
export class NamespaceBundles implements NamespaceFiles {
  readonly ids: SortedIds = sortedIds();
  readonly #namespace: string;
  readonly #ledger: Ledger;
  readonly #onLeft: LeftBehind;
  readonly #blobs = new Map<Digest, CountedBlob>();
  #bundles = 0;
  #bytes = 0;

  constructor(namespace: string, ledger: Ledger, onLeft: LeftBehind) {
    this.#namespace = namespace;
    this.#ledger = ledger;
    this.#onLeft = onLeft;
  }

  get bundles(): number {
    return this.#bundles;
  }
  get bytes(): number {
    return this.#bytes;
  }

  has(digest: Digest): boolean {
    return this.#blobs.has(digest);
  }

  sizeOf(digest: Digest): number | undefined {
    return this.#blobs.get(digest)?.size;
  }

  digests(): Iterable<Digest> {
    return this.#blobs.keys();
  }

  /** @returns the bundle's distinct blobs */
  add(id: string, files: Iterable<NamespaceBlob>): readonly NamespaceBlob[] {
    this.ids.add(id);
    this.#bundles++;
    const distinct = new Set<CountedBlob>();
    for (const { digest, size } of files) distinct.add(this.#blobs.get(digest) ?? this.#enter(digest, size));
    for (const blob of distinct) blob.bundles++;
    return [...distinct];
  }

  remove(id: string, blobs: readonly NamespaceBlob[]): void {
    this.ids.delete(id);
    this.#bundles--;
    for (const { digest, size } of blobs) {
      const blob = this.#blobs.get(digest);
      if (blob === undefined || --blob.bundles > 0) continue;
      this.#blobs.delete(digest);
      this.#bytes -= size;
      blob.charge.release();
      this.#onLeft(this.#namespace, digest, size);
    }
  }

  #enter(digest: Digest, size: number): CountedBlob {
    const blob = { digest, size, bundles: 0, charge: this.#ledger.note(this.#namespace, blobOf(size)) };
    this.#blobs.set(digest, blob);
    this.#bytes += size;
    return blob;
  }
}
