import { decode, DerError, members, readInteger, readOctets, readText, readTime, sequenceOf } from "../asn1/der.ts";
import { KEY_USAGE } from "../crypto/encryption-type.ts";
import type { Principal } from "../ticket/principal.ts";
import type { Ticket, UsableTicket } from "../ticket/ticket.ts";

/** A refusal of a KDC (RFC 4120, section 5.9.1). */
export interface KdcRefusal {
  readonly code: number;
  /** The KDC's own words, if it has any. */
  readonly text: string | undefined;
  /** The KDC's time in milliseconds since the epoch. */
  readonly serverTime: number;
}

export type TicketReply = { readonly refusal: KdcRefusal } | { readonly ticket: Ticket };

const TGS_REPLY = 0x60 + 13;
const ERROR = 0x60 + 30;
// Some KDCs use the number of the other kind of answers (RFC 4120, 5.4.2).
const REPLY_PARTS: ReadonlySet<number> = new Set([0x60 + 26, 0x60 + 25]);

/**
 * Reads the answer to a TGS-REQ (RFC 4120, section 5.4.2).
 *
 * @throws DerError for bytes that are no such answer, or that do not answer this request
 */
export function readTicketReply(bytes: Buffer, ticketGranting: UsableTicket, nonce: number): TicketReply {
  const { tag, content } = decode(bytes);
  if (tag === ERROR) return { refusal: readRefusal(content) };
  if (tag !== TGS_REPLY) throw new DerError(`tag ${tag} is no answer of a KDC`);
  const reply = members(content);
  const { encryption, key } = ticketGranting;
  const sealed = members(reply.get(6));
  const part = encryption.open(key.value, KEY_USAGE.tgsReply, readOctets(sealed.get(2)));
  if (part === undefined) throw new DerError("the answer is not sealed with the ticket's key");
  const outer = decode(part);
  if (!REPLY_PARTS.has(outer.tag)) throw new DerError(`tag ${outer.tag} is no part of an answer`);
  const own = members(outer.content);
  // RFC 4120, 3.3.4: the answer to another request is no answer.
  if (readInteger(own.get(2)) !== nonce) throw new DerError("it answers another request");
  const sessionKey = members(own.get(0));
  return {
    ticket: {
      client: ticketGranting.client,
      server: readPrincipal(own.get(10), own.get(9)),
      key: { type: readInteger(sessionKey.get(0)), value: readOctets(sessionKey.get(1)) },
      endTime: readTime(own.get(7)),
      bytes: reply.get(5),
    },
  };
}

function readPrincipal(name: Buffer, realm: Buffer): Principal {
  const parts = members(name);
  return { type: readInteger(parts.get(0)), parts: sequenceOf(parts.get(1)).map(readText), realm: readText(realm) };
}

function readRefusal(content: Buffer): KdcRefusal {
  const error = members(content);
  const words = error.find(11);
  return {
    code: readInteger(error.get(6)),
    text: words === undefined ? undefined : readText(words),
    serverTime: readTime(error.get(4)),
  };
}
