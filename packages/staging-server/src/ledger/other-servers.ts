import { namespaceMark, type Ledger } from "./ledger.ts";

/** What this server has entered into the ledger of some kind. */
export interface OwnEntries {
  /** Whether the ledger has it from this server: then it is not one of the others'. */
  counts(name: string): boolean;
  names(): Iterable<string>;
  forget(name: string): void;
}

const MARK_LENGTH = namespaceMark("").length;

/**
 * Enters what other servers have into the ledger, and forgets what they have ended of this one's.
 *
 * @returns to be told the names of all documents of the kind; each begins with the mark of its namespace
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
    // What this server is beginning at this moment is not listed yet: it is gone if it is missing twice.
    const there = new Set(listed);
    const gone = [...own.names()].filter((name) => !there.has(name));
    for (const name of gone) if (missing.has(name)) own.forget(name);
    missing = new Set(gone);
  };
}
