// @ts-check
import { fileURLToPath } from "node:url";
import { startTelling } from "./processes.mjs";

const PROGRAM = fileURLToPath(new URL("stub-api-server.mjs", import.meta.url));

/** Starts the stub API server; `stop` ends it. */
export async function startStub() {
  const stub = startTelling(PROGRAM);
  return { address: `127.0.0.1:${await stub.line()}`, stop: stub.stop };
}
