import { testsOf } from "../../vitest.base.ts";

export default testsOf("operator", {
  // Real servers on a busy machine.
  testTimeout: 180_000,
  hookTimeout: 60_000,
});
