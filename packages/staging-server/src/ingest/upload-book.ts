import { createHash } from "node:crypto";
import type { Digest } from "@kindling/staging-client";
import { namespaceMark, type Charge, type Ledger } from "../ledger/ledger.ts";
import { otherServers } from "../ledger/other-servers.ts";
import { blocks, UPLOAD } from "../ledger/weights.ts";
import type { UploadRecord, Uploads } from "../metadata/uploads.ts";

/** The entries of uploads in the ledger, and which uploads are of the same file. */
export interface UploadBook {
  /** @throws ProblemError `limit-reached`, `quota-exceeded` */
  begin(id: string, namespace: string): void;
  /** This many of its bytes are kept while no client sends more. */
  reached(id: string, offset: number): void;
  /** Its bytes have become a blob; only a note of that is left. */
  completed(id: string): void;
  forget(id: string): void;
  /** Uploads whose id has this beginning. */
  like(prefix: string): Promise<Iterable<string>>;
  load(): Promise<void>;
  countOthers(): Promise<void>;
}

/** The beginning of the ids of all uploads of one file for one namespace. It starts with the mark of the namespace. */
export function uploadPrefix(namespace: string, digest: Digest): string {
  const file = createHash("sha256").update(`${namespace} ${digest}`).digest("hex").slice(0, 16);
  return `${namespaceMark(namespace)}${file}-`;
}

export function uploadBook(records: Uploads, book: Ledger, shared: boolean): UploadBook {
  const charges = new Map<string, Charge>();
  // If no other process has the documents, these are all uploads.
  const byPrefix = new Map<string, Set<string>>();
  const prefixOf = (id: string): string => id.slice(0, id.indexOf("-") + 1);

  function enter(id: string, charge: Charge): void {
    charges.set(id, charge);
    const prefix = prefixOf(id);
    byPrefix.set(prefix, (byPrefix.get(prefix) ?? new Set()).add(id));
  }

  function note(record: UploadRecord): void {
    if (charges.has(record.id)) return;
    enter(record.id, book.note(record.namespace, UPLOAD));
    if (record.complete) completed(record.id);
    else reached(record.id, record.offset);
  }

  function reached(id: string, offset: number): void {
    charges.get(id)?.set({ disk: (UPLOAD.disk ?? 0) + (offset === 0 ? 0 : blocks(offset)) });
  }

  function completed(id: string): void {
    charges.get(id)?.set({ uploads: 0, disk: UPLOAD.disk ?? 0 });
  }

  function forget(id: string): void {
    charges.get(id)?.release();
    charges.delete(id);
    const prefix = prefixOf(id);
    const alike = byPrefix.get(prefix);
    alike?.delete(id);
    if (alike?.size === 0) byPrefix.delete(prefix);
  }

  const countOthers = otherServers(book, "uploads", {
    counts: (id) => charges.has(id),
    names: () => charges.keys(),
    forget,
  });
  return {
    begin: (id, namespace) => enter(id, book.take(namespace, UPLOAD)),
    reached,
    completed,
    forget,
    async like(prefix) {
      if (!shared) return [...(byPrefix.get(prefix) ?? [])];
      return (await records.list(prefix)).map(({ name }) => name);
    },
    async load() {
      if (shared) return;
      for (const { name } of await records.list()) {
        const record = (await records.get(name))?.value;
        if (record !== undefined) note(record);
      }
    },
    async countOthers() {
      if (shared) countOthers((await records.list()).map(({ name }) => name));
    },
  };
}
