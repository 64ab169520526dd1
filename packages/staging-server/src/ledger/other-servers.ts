import { namespaceMark, type Ledger } from "./ledger.ts";

/** What this server has entered into the ledger for one kind. */
export interface OwnEntries {
  /** Whether this server has entered it: then it does not count as another server's. */
  counts(name: string): boolean;
  names(): Iterable<string>;
  forget(name: string): void;
}

const MARK_LENGTH = namespaceMark("").length;

/**
 * Enters what other servers have into the ledger, and forgets entries of this server that others have ended.
 *
 * @returns a function that must be called with the names of all documents of the kind; each begins with the mark of its
 * namespace
 */
export function otherServers(
  book: Ledger,
  kind: "leases" | "uploads",
  own: OwnEntries,
): (listed: readonly string[]) => void {
  let missing: ReadonlySet<string> = new Set();
  return (listed) => {
    const counts = new Map<string, number>();
    for (const name of listed) {
      const mark = name.slice(0, MARK_LENGTH);
      if (!own.counts(name)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
    }
    book.setOthers(kind, counts);
    // A thing that this server is just making may not be listed yet: it is gone only if it is missing twice.
    const there = new Set(listed);
    const gone = [...own.names()].filter((name) => !there.has(name));
    for (const name of gone) if (missing.has(name)) own.forget(name);
    missing = new Set(gone);
  };
}
