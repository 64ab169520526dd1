import { defineProject } from "vitest/config";

// Tests that need no cluster; the end-to-end suites have vitest.e2e.config.ts.
export default defineProject({ test: { name: "integration", include: ["stack/*.test.ts", "test/*.test.ts"] } });
