import { expect, test } from "vitest";
import { ApplicationMemory } from "../../../src/views/memory/application-memory.ts";
import { KeptMemory } from "../../../src/views/memory/kept-memory.ts";
import { Readers } from "../../../src/views/memory/readers.ts";

const KEPT = 128 * 1024 * 1024;

test("two readers are free, further ones have to fit, and each gives its room back once", () => {
  const shared = new KeptMemory({ kept: KEPT, keptPerApplication: KEPT });
  const memory = new ApplicationMemory(shared, () => true);
  memory.admit("pods/a", { bytes: 512 * 1024, values: 10 });
  const before = shared.held;
  const readers = new Readers(memory);
  const ends = [readers.begin(), readers.begin()];
  expect(shared.held).toBe(before);
  const begin = (): unknown => {
    try {
      return ends.push(readers.begin());
    } catch (error) {
      return error;
    }
  };
  const answers = Array.from({ length: 100 }, begin);
  expect(answers.at(-1)).toMatchObject({ status: { code: 429 } });
  expect(ends.length).toBeGreaterThan(2);
  for (const end of [...ends, ...ends]) end();
  expect(shared.held).toBe(before);
  memory.close();
  expect(shared.held).toBe(0);
});
