import { someRounds } from "@kindling/test-kit/rounds";
import { expect, test } from "vitest";
import { checkHistories } from "./histories.ts";
import type { Library } from "./model-world.ts";
import { MUTANTS } from "./mutants.ts";

const mutants = someRounds("mutants", [...MUTANTS.entries()]).map(([index, mutant]) => ({ ...mutant, index }));

// The plug-in of vitest.config.ts puts the fault into the copy that the query asks for.
test.each(mutants)("the model notices that $name", async ({ index }) => {
  const library = (await import(/* @vite-ignore */ `../../src/index.ts?mutant=${index}`)) as Library;
  const lives = checkHistories(library, { runs: 20_000, seed: 2_026, endOnFailure: true });
  await expect(lives).rejects.toThrow("Property failed");
});
