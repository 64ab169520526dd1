import { testsOf } from "../../vitest.base.ts";

export default testsOf("submit-cli", {
  globalSetup: ["test/global-setup.ts"],
  // Real processes on a busy machine.
  expect: { poll: { timeout: 50_000 } },
});
