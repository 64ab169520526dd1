// @ts-check
// Calls of Spark Connect by Node: the time of one call, and sessions that do nothing.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { ConnectClient } from "@kindling/test-kit/connect-client";
import { framed, request } from "@kindling/test-kit/connect-messages";

/** A `ConfigRequest` that asks for no setting: about the cheapest call there is. */
const NOTHING = Buffer.from([2 * 8 + 2, 0]);

/**
 * A client at an address, with a session.
 *
 * @param {string} uri
 * @param {{ caFile?: string, token?: string }} [options]
 */
export function caller(uri, { caFile, token = "" } = {}) {
  const client = new ConnectClient(uri, { ...(caFile !== undefined && { ca: readFileSync(caFile, "utf8") }), token });
  const body = framed(request(randomUUID(), "somebody", [3, NOTHING]));
  return {
    /** Makes a call in this client's session. @returns {Promise<string>} gRPC's status */
    async call() {
      return (await client.call("Config", { body })).status;
    },
    close: () => client.close(),
  };
}
