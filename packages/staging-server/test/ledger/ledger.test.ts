import { expect, it } from "vitest";
import { ledger, namespaceMark } from "../../src/ledger/ledger.ts";
import { ledgerLimits } from "../../src/ledger/limits.ts";

const LIMITS = {
  config: { "limits.leasesPerNamespace": 2, "limits.openUploadsPerNamespace": 2, "limits.bundlesPerNamespace": 2 },
  memory: { kept: 1000, keptPerNamespace: 600 },
  quotaOf: (namespace: string) => (namespace === "free" ? undefined : 100),
  random: { fraction: () => 0 },
} as const;

it("takes nothing that does not fit, and all of it back", () => {
  const book = ledger(ledgerLimits(LIMITS));
  const first = book.take("a", { leases: 1, memory: 400, disk: 50 });
  expect(() => book.take("a", { leases: 1, memory: 300 })).toThrow(/bytes of memory, of 600/);
  expect(() => book.take("a", { disk: 60 })).toThrow(/may take 100 bytes; it takes 50, and 60 more/);
  expect(book.of("a")).toEqual({ leases: 1, uploads: 0, bundles: 0, memory: 400, disk: 50, leftovers: 0 });
  expect(() => book.take("b", { memory: 600, disk: 1 })).not.toThrow();
  expect(() => book.take("free", { memory: 1, disk: 1e9 })).toThrow(/limits.memory/);
  first.raise({ disk: 50 });
  expect(() => first.raise({ disk: 1 })).toThrow(/it takes 100/);
  // Real amounts count, whether they fit or not.
  first.set({ disk: 500 });
  expect(book.of("a").disk).toBe(500);
  first.release();
  first.release();
  first.set({ disk: 7 });
  expect(book.of("a")).toEqual({ leases: 0, uploads: 0, bundles: 0, memory: 0, disk: 0, leftovers: 0 });
  expect(book.total).toMatchObject({ memory: 600, disk: 1 });
});

it("counts what other servers have, as far as a listing tells", () => {
  const book = ledger(ledgerLimits(LIMITS));
  book.setOthers("leases", new Map([[namespaceMark("a"), 2]]));
  expect(() => book.take("a", { leases: 1 })).toThrow(/namespace a has 2 leases/);
  book.take("b", { leases: 1 });
  book.setOthers("leases", new Map());
  book.take("a", { leases: 1 });
});
