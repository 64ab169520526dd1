import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const COMMAND = fileURLToPath(new URL("../bin/kindling-event-log-shipper.cjs", import.meta.url));

test("it never fails a pod, and says what it lacks", () => {
  const { status, stderr } = spawnSync(process.execPath, [COMMAND], { env: {}, encoding: "utf8" });
  expect(status).toBe(0);
  expect(stderr).toMatch(/^kindling-event-log-shipper: KINDLING_EVENT_LOG_URI is not set\n/);
});
