// What the rounds share with the operator's tests: lives, what becomes of them, and who looks on. Bundled once.
import { sourceModules } from "../source-modules.mjs";

const ROUNDS = "../test/faults/rounds";

export const { annotationScript, crashRoundIn, DEFAULT_SCRIPT, LIVES, makeNamespace, playedLife, startBystander } =
  await sourceModules([
    "../../devcluster/src/runtime/hollow/script.ts",
    `${ROUNDS}/bystander.ts`,
    `${ROUNDS}/crash-round.ts`,
    `${ROUNDS}/lives.ts`,
    `${ROUNDS}/namespaces.ts`,
    `${ROUNDS}/played-life.ts`,
  ]);
