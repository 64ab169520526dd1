import { defineConfig } from "vitest/config";

export default defineConfig({ test: { name: "images", include: ["*.test.mjs"] } });
