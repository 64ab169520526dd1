import type { ClientRequest, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpResponse } from "./http-request.ts";

/** What an exchange does when the server has changed the protocol. */
export interface UpgradedExchange {
  /** The answer is there. */
  readonly begin: (answer: IncomingMessage) => void;
  /** A limit for the whole answer does not apply to a connection. */
  readonly cancelWhole: () => void;
  readonly resolve: (response: HttpResponse) => void;
  /** The connection is closed. */
  readonly settle: () => void;
}

/** Takes the connection over when the server changes to another protocol. */
export function takeUpgrade(outgoing: ClientRequest, url: URL, exchange: UpgradedExchange): void {
  outgoing.on("upgrade", (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
    exchange.begin(answer);
    exchange.cancelWhole();
    socket.once("close", exchange.settle);
    // Without a listener, an error before the caller has one would end the process.
    socket.on("error", () => undefined);
    if (head.length > 0) socket.unshift(head);
    const { statusCode: status = 101, headers } = answer;
    const none = { remoteAddress: undefined, proxy: undefined };
    exchange.resolve({ status, headers, body: answer, url, ...none, upgraded: socket });
  });
}
