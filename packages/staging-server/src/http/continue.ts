import type { IncomingMessage, Server, ServerResponse } from "node:http";

const WAITING = new WeakSet<IncomingMessage>();

/**
 * Lets routes decide when a client that sent `Expect: 100-continue` may send its body (RFC 9110, 10.1.1): a refusal then
 * costs no upload. Node itself would allow all bodies before it calls a route.
 */
export function holdContinue(server: Server): void {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    WAITING.add(request);
    server.emit("request", request, response);
  });
}

/** Tells a client that waits with its body to send it. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (WAITING.delete(request)) response.writeContinue();
}

/** Whether the client has not sent its body yet, so that nothing has to be discarded. */
export function isHeldBack(request: IncomingMessage): boolean {
  return WAITING.has(request);
}
