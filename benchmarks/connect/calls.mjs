// @ts-check
// Calls of Spark Connect by Node: the time of one call, and sessions that do nothing.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";

const CONFIG = "/spark.connect.SparkConnectService/Config";

/** @param {number} number @param {Buffer} value */
function field(number, value) {
  return Buffer.concat([Buffer.from([number * 8 + 2, value.length]), value]);
}

/** A request that asks for no setting: about the cheapest call there is. */
function emptyConfigRequest() {
  const message = Buffer.concat([
    field(1, Buffer.from(randomUUID())),
    field(2, field(1, Buffer.from("somebody"))),
    field(3, field(2, Buffer.alloc(0))),
  ]);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/**
 * A client at an address.
 *
 * @param {string} uri
 * @param {{ caFile?: string, token?: string }} [options]
 */
export function caller(uri, { caFile, token } = {}) {
  const session = connect(uri, caFile === undefined ? {} : { ca: readFileSync(caFile) });
  session.on("error", () => undefined);
  const body = emptyConfigRequest();
  return {
    /** Makes a call in this client's session. @returns {Promise<string>} gRPC's status */
    call() {
      return new Promise((resolve) => {
        const stream = session.request({
          ...{ ":method": "POST", ":path": CONFIG, "content-type": "application/grpc", te: "trailers" },
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        });
        let status = "";
        stream.on("response", (headers) => (status = String(headers["grpc-status"] ?? "")));
        stream.on("trailers", (trailers) => (status = String(trailers["grpc-status"] ?? "")));
        stream.on("error", () => undefined);
        stream.on("close", () => resolve(status));
        stream.resume();
        stream.end(body);
      });
    },
    close: () => session.destroy(),
  };
}
