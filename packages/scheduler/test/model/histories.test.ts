import { ALL_ROUNDS } from "@kindling/test-kit/rounds";
import { expect, test } from "vitest";
import * as library from "../../src/index.ts";
import { checkHistories } from "./histories.ts";

const RUNS = Number(process.env["KINDLING_HISTORIES"] ?? (ALL_ROUNDS ? 20_000 : 1_000));
const SEED = Number(process.env["KINDLING_SEED"] ?? 2_026);

test("whatever happens, there are never more executors than wanted, in the end as many, and each end is told once", async () => {
  await expect(checkHistories(library, { runs: RUNS, seed: SEED })).resolves.toBeUndefined();
}, 3_600_000);
