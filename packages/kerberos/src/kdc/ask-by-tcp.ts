import { connect } from "node:net";
import type { Clock } from "@kindling/outside";
import type { AskKdc } from "./kdc-client.ts";

// MIT waits ten seconds for a TCP connection, and Java thirty for an answer.
const ANSWER_MS = 10_000;

// A ticket with the groups of a user of Active Directory has up to 64 KiB (MaxTokenSize).
const MOST_BYTES = 1024 * 1024;

/** Asks a KDC over TCP (RFC 4120, section 7.2.2): the length in four bytes is in front of each message. */
export function askByTcp(clock: Clock, signal?: AbortSignal, answerMs: number = ANSWER_MS): AskKdc {
  return ({ host, port }, message) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      const received: Buffer[] = [];
      const end = (): void => {
        cancel();
        signal?.removeEventListener("abort", abort);
        socket.destroy();
      };
      const fail = (why: string): void => {
        end();
        reject(new Error(why));
      };
      const abort = (): void => fail("was not waited for");
      const cancel = clock.after(answerMs, () => fail(`did not answer within ${answerMs / 1000} s`));
      signal?.addEventListener("abort", abort, { once: true });
      if (signal?.aborted === true) abort();
      socket.on("error", (error) => fail(reason(error)));
      socket.on("end", () => fail("closed the connection without an answer"));
      socket.on("data", (chunk) => {
        received.push(chunk);
        const bytes = Buffer.concat(received);
        if (bytes.length < 4) return;
        const length = bytes.readUInt32BE();
        if (length > MOST_BYTES) return fail("is no KDC");
        if (bytes.length < 4 + length) return;
        end();
        resolve(bytes.subarray(4, 4 + length));
      });
      const prefix = Buffer.alloc(4);
      prefix.writeUInt32BE(message.length);
      socket.write(Buffer.concat([prefix, message]));
    });
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses the connection",
  ECONNRESET: "closed the connection",
  ENOTFOUND: "has no address",
  EAI_AGAIN: "has no address at the moment",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  ETIMEDOUT: "does not answer",
};

function reason(error: NodeJS.ErrnoException): string {
  return REASONS[error.code ?? ""] ?? error.message;
}
