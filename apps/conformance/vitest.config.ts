import { testsOf } from "../../vitest.base.ts";

export default testsOf("conformance", {
  // Real servers on a busy machine; above what a wait of the cases takes at most, so that it says itself what did not
  // come about.
  testTimeout: 240_000,
  hookTimeout: 60_000,
});
