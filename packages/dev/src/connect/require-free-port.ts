import { createServer } from "node:net";
import { KindlingError, messageOf } from "@kindling/core-spec";

/** Where Spark Connect is served: other machines must not reach it. */
export const HOST = "127.0.0.1";

/**
 * Looks whether a port can be listened on, before a cluster is started for nothing.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export async function requireFreePort(port: number): Promise<void> {
  const cause = await faultOf(port);
  if (cause === undefined) return;
  const isTaken = cause.code === "EADDRINUSE";
  const why = isTaken ? "is taken" : `cannot be listened on: ${messageOf(cause)}`;
  const other = "name another one with --port, or 0 for any free one";
  throw new KindlingError("ARGUMENT_INVALID", `port ${port} of ${HOST} ${why}`, {
    hint: isTaken ? `${other}; if kindling dev connect runs already, use that one` : other,
    cause,
  });
}

/** Why a port cannot be listened on; `undefined` if it can. */
export async function faultOf(port: number): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer();
  const fault = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once("error", resolve);
    server.listen(port, HOST, () => resolve(undefined));
  });
  await new Promise((resolve) => server.close(resolve));
  return fault;
}
