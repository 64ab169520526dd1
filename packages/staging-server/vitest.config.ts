import { testsOf } from "../../vitest.base.ts";

export default testsOf("staging-server", {
  // Real servers and processes on a busy machine.
  hookTimeout: 60_000,
  expect: { poll: { timeout: 50_000 } },
});
