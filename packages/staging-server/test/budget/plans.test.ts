import fc from "fast-check";
import { expect, it } from "vitest";
import { planDescriptors } from "../../src/budget/descriptor-plan.ts";
import { planMemory } from "../../src/budget/memory-plan.ts";

const NEEDS = { connections: 10_000, uploads: 128, downloads: 512, perUpload: 1, watches: false };
const SETTINGS = { memory: undefined, memoryPerNamespace: undefined, documentMemory: undefined, bundleFiles: 4096 };
const MIB = 1024 * 1024;

it("never plans for more descriptors than there are, whatever is wanted", () => {
  const needs = fc.record({
    connections: fc.integer({ min: 1, max: 100_000 }),
    uploads: fc.integer({ min: 1, max: 10_000 }),
    downloads: fc.integer({ min: 1, max: 10_000 }),
    perUpload: fc.integer({ min: 1, max: 6 }),
    watches: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 128, max: 2_000_000 }), needs, (limit, wanted) => {
      const plan = planDescriptors(limit, wanted);
      const files = plan.uploads * wanted.perUpload + plan.downloads + plan.unflushed + plan.documents;
      expect(plan.connections + files + plan.admin + plan.watches).toBeLessThanOrEqual(limit - 40);
      for (const part of [plan.connections, plan.uploads, plan.unflushed, plan.documents, plan.admin]) {
        expect(part).toBeGreaterThan(0);
      }
    }),
  );
});

it("leaves sockets for newcomers where all transfers are under way", () => {
  const plan = planDescriptors(256, NEEDS);
  expect(plan).toEqual({
    connections: 113,
    uploads: 15,
    downloads: 48,
    unflushed: 16,
    documents: 16,
    admin: 8,
    watches: 0,
  });
  expect(plan.connections - plan.uploads - plan.downloads).toBeGreaterThan(40);
});

it("gives what is wanted where there is enough", () => {
  expect(planDescriptors(1_048_576, NEEDS)).toMatchObject({ connections: 10_000, uploads: 128, downloads: 512 });
  expect(() => planDescriptors(100, NEEDS)).toThrow(/may open 100 files; a server needs 128/);
});

it("plans memory for what is kept and for documents, of which two of the largest fit", () => {
  const small = planMemory(256 * MIB, SETTINGS);
  expect(small).toMatchObject({ kept: 32 * MIB, keptPerNamespace: 8 * MIB, connections: 4096 });
  expect(small.documents).toBeGreaterThanOrEqual(2 * 4 * small.document);
  expect(planMemory(16_384 * MIB, SETTINGS)).toMatchObject({ documents: 256 * MIB, connections: 10_000 });
  const given = planMemory(256 * MIB, { ...SETTINGS, memory: 10 * MIB, documentMemory: 8 * MIB });
  expect(given).toMatchObject({ kept: 10 * MIB, documents: 8 * MIB, document: MIB });
});
