import { testsOf } from "../../vitest.base.ts";

export default testsOf("chart", {
  include: ["test/**/*.test.{ts,mjs}"],
  // Helm on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 60_000,
});
