import { testsOf } from "../../vitest.base.ts";

// Tests that need no cluster; the end-to-end suites have vitest.e2e.config.ts.
export default testsOf("integration", { include: ["stack/*.test.ts", "test/*.test.ts"] });
