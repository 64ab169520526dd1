import { testsOf } from "../../vitest.base.ts";

export default testsOf("conformance", {
  // Real servers on a busy machine; longer than the longest wait of the cases, so that a case itself reports what did not
  // happen.
  testTimeout: 240_000,
  hookTimeout: 60_000,
});
