import { defineConfig } from "vitest/config";

// What needs no cluster; the end-to-end suites have vitest.e2e.config.ts.
export default defineConfig({ test: { name: "integration", include: ["stack/*.test.ts"] } });
