import { expect, test } from "vitest";
import { checkHistories } from "./histories.ts";
import type { Library } from "./model-world.ts";
import { MUTANTS } from "./mutants.ts";

// The plug-in of vitest.config.ts puts the fault into the copy that the query asks for.
test.each(MUTANTS.map((mutant, index) => ({ ...mutant, index })))("the model notices that $name", async ({ index }) => {
  const library = (await import(/* @vite-ignore */ `../../src/index.ts?mutant=${index}`)) as Library;
  const lives = checkHistories(library, { runs: 20_000, seed: 2_026, endOnFailure: true });
  await expect(lives).rejects.toThrow("Property failed");
});
