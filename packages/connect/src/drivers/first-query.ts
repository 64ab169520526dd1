import type { Random } from "@kindling/outside";
import type { CalledDriver, DriverConnections } from "./driver-connections.ts";
import { messagePrefix } from "../grpc/message-prefix.ts";
import { GRPC_CONTENT_TYPE, SPARK_CONNECT_SERVICE } from "../grpc/methods.ts";
import { valueOf } from "../http2/check-fields.ts";
import { ERROR } from "../http2/frame.ts";
import { writeMessage } from "../protobuf/write-message.ts";

const USER = "kindling-connect";
const QUERY = "SELECT count(*) FROM range(1)";
/** Numbers of fields in Spark's base.proto and relations.proto. */
const FIELDS = { sessionId: 1, userContext: 2, plan: 3, clientType: 4, root: 1, sql: 10, query: 1, userId: 1 } as const;

/**
 * Runs a small query in a session of its own: the first one of a JVM loads thousands of classes, and should not be a user's.
 *
 * @returns whether the driver has answered it
 */
export async function runFirstQuery(
  driver: CalledDriver,
  {
    connections,
    random,
    signal,
  }: { readonly connections: DriverConnections; readonly random: Random; readonly signal: AbortSignal },
): Promise<boolean> {
  const session = random.uuid();
  const head = writeMessage([FIELDS.sessionId, session], [FIELDS.userContext, writeMessage([FIELDS.userId, USER])]);
  const relation = writeMessage([FIELDS.sql, writeMessage([FIELDS.query, QUERY])]);
  const plan = writeMessage([FIELDS.plan, writeMessage([FIELDS.root, relation])], [FIELDS.clientType, USER]);
  const call = async (method: string, message: Buffer): Promise<boolean> =>
    await callDriver(driver, method, message, connections, signal);
  const isAnswered = await call("ExecutePlan", Buffer.concat([head, plan]));
  await call("ReleaseSession", head);
  return isAnswered;
}

/** Makes a call, and reads its answer to the end without looking at it. */
function callDriver(
  driver: CalledDriver,
  method: string,
  message: Buffer,
  connections: DriverConnections,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const path = `${SPARK_CONNECT_SERVICE}${method}`;
    const stream = connections.call(driver, path, [["content-type", GRPC_CONTENT_TYPE]]);
    let status: string | undefined;
    const giveUp = (): void => stream.reset(ERROR.CANCEL);
    signal.addEventListener("abort", giveUp, { once: true });
    stream.onEnd = () => {
      signal.removeEventListener("abort", giveUp);
      resolve(status === "0");
    };
    stream.receive({
      data: ({ bytes }) => stream.consumed(bytes.length),
      end: (fields = []) => (status = valueOf(fields, "grpc-status")),
    });
    stream.write({ bytes: Buffer.concat([messagePrefix(message.length), message]) });
    stream.finish();
  });
}
