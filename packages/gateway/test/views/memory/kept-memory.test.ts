import fc from "fast-check";
import { expect, test } from "vitest";
import { ApplicationMemory } from "../../../src/views/memory/application-memory.ts";
import { KeptMemory } from "../../../src/views/memory/kept-memory.ts";
import { planMemory } from "../../../src/views/memory/memory-plan.ts";

const MEBIBYTE = 1024 * 1024;
/** The heap limit in such a container, in MiB. */
const IN_256_MIB = 102;
const UNSET = {
  "memory.kept": undefined,
  "memory.keptPerApplication": undefined,
  "memory.bodies": undefined,
  "listen.connections": undefined,
};

function keptOf(processMebibytes: number): KeptMemory {
  return new KeptMemory(planMemory({ heap: processMebibytes * MEBIBYTE, beside: Infinity }, UNSET));
}

const always = (): boolean => true;

/** Adds executors of 10 KiB to an application until there is no more room, or until it has as many as it wants. */
function fill(memory: ApplicationMemory, wanted: number, bytes = 10 * 1024): number {
  for (let id = 0; id < wanted; id += 1) {
    if (memory.admit(`pods/exec-${id}`, { bytes, values: bytes / 20 }) !== "fits") return id;
  }
  return wanted;
}

const happening = fc.record({
  application: fc.nat(4),
  name: fc.constantFrom("a", "b", "c"),
  bytes: fc.nat(8 * MEBIBYTE),
  what: fc.constantFrom("admit", "see", "leave", "end"),
});

test("no more is admitted than there is, and what has gone leaves nothing behind", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (history) => {
      const kept = 20 * MEBIBYTE;
      const shared = new KeptMemory({ kept, keptPerApplication: kept });
      const all = Array.from({ length: 5 }, () => new ApplicationMemory(shared, always));
      for (const { application, name, bytes, what } of history) {
        const memory = all[application] ?? new ApplicationMemory(shared, always);
        const before = shared.held;
        if (what === "admit") memory.admit(name, { bytes, values: bytes / 20 });
        else if (what === "see") memory.seen(name, Math.min(bytes, 1024));
        else if (what === "leave") memory.seen(name, undefined);
        else {
          memory.close();
          all[application] = new ApplicationMemory(shared, always);
        }
        const most = what === "admit" && shared.held > before ? kept : Infinity;
        expect(shared.held).toBeLessThanOrEqual(most);
        expect(shared.held).toBeCloseTo(all.reduce((sum, { held }) => sum + held, 0));
      }
      for (const memory of all) memory.close();
      expect(shared.held).toBeCloseTo(0);
    }),
  );
});

test.each([
  { executors: 20, heap: 153, where: "with a heap of 153 MiB" },
  { executors: 13, heap: IN_256_MIB, where: "in a container of 256 MiB" },
])("40 applications have $executors executors each beside 40 that take all that they get, $where", (row) => {
  const shared = keptOf(row.heap);
  const hostile = Array.from({ length: 40 }, () => new ApplicationMemory(shared, always));
  for (const memory of hostile) fill(memory, Infinity);
  const honest = Array.from({ length: 40 }, () => new ApplicationMemory(shared, always));
  expect(honest.map((memory) => fill(memory, row.executors))).toEqual(honest.map(() => row.executors));
});

test("an application alone has 20,000 executors of 10 KiB with 2 GiB", () => {
  expect(fill(new ApplicationMemory(keptOf(2048), always), 20_000)).toBe(20_000);
});

test("whoever keeps too much is told apart from whoever finds no room for the moment", () => {
  const shared = keptOf(256);
  const large = { bytes: 200 * MEBIBYTE, values: 1 };
  expect(new ApplicationMemory(shared, always).admit("pods/a", large)).toBe("too-much");
  for (let index = 0; index < 100; index += 1) fill(new ApplicationMemory(shared, always), Infinity);
  expect(new ApplicationMemory(shared, always).admit("pods/a", { bytes: 10_240, values: 500 })).toBe("no-room");
});

test("what was admitted and then never came into the view gives its room back", () => {
  const memory = new ApplicationMemory(new KeptMemory({ kept: MEBIBYTE, keptPerApplication: MEBIBYTE }), () => false);
  for (let id = 0; id < 1_000; id += 1) expect(memory.admit(`pods/${id}`, { bytes: 10_240, values: 500 })).toBe("fits");
});
