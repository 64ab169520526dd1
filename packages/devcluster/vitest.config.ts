import { testsOf } from "../../vitest.base.ts";

export default testsOf("devcluster", {
  // Real servers and processes on a busy machine;
  // above what a wait of the conformance cases takes at most, so that it says itself what did not come about.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 25_000 } },
});
