import { testsOf } from "../../vitest.base.ts";

export default testsOf("devcluster", {
  // Real servers and processes on a busy machine; longer than the longest wait of the conformance cases, so that a case
  // itself reports what did not happen.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 50_000 } },
});
