import { testsOf } from "../../vitest.base.ts";

export default testsOf("submit", {
  // Real processes on a busy machine.
  expect: { poll: { timeout: 50_000 } },
});
