import { testsOf } from "../../vitest.base.ts";

export default testsOf("recorder", { hookTimeout: 60_000 });
