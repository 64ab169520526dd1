import { decode, DerError, members, readInteger, readOctets, readText, readTime, sequenceOf } from "../asn1/der.ts";
import { KEY_USAGE, type EncryptionType } from "../crypto/encryption-type.ts";
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

const AS_REPLY = 0x60 + 11;
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
  const { client, encryption, key } = ticketGranting;
  return readReply(bytes, { tag: TGS_REPLY, usage: KEY_USAGE.tgsReply, client, encryption, key: key.value, nonce });
}

/** What an answer has to fit. */
export interface AskedLogin {
  readonly client: Principal;
  readonly encryption: EncryptionType;
  /** What the answer is sealed with. */
  readonly key: Buffer;
  readonly nonce: number;
}

/**
 * Reads the answer to an AS-REQ, which has the same form.
 *
 * @throws DerError for bytes that are no such answer, or that do not answer this request
 */
export function readLoginReply(bytes: Buffer, asked: AskedLogin): TicketReply {
  return readReply(bytes, { ...asked, tag: AS_REPLY, usage: KEY_USAGE.loginReply });
}

interface Expected extends AskedLogin {
  readonly tag: number;
  readonly usage: number;
}

function readReply(bytes: Buffer, { tag, usage, client, encryption, key, nonce }: Expected): TicketReply {
  const whole = decode(bytes);
  if (whole.tag === ERROR) return { refusal: readRefusal(whole.content) };
  if (whole.tag !== tag) throw new DerError(`tag ${whole.tag} is no answer of a KDC`);
  const reply = members(whole.content);
  const sealed = members(reply.get(6));
  const part = encryption.open(key, usage, readOctets(sealed.get(2)));
  if (part === undefined) throw new DerError("the answer is not sealed with the key that was used");
  const outer = decode(part);
  if (!REPLY_PARTS.has(outer.tag)) throw new DerError(`tag ${outer.tag} is no part of an answer`);
  const own = members(outer.content);
  // RFC 4120, 3.3.4: the answer to another request is no answer.
  if (readInteger(own.get(2)) !== nonce) throw new DerError("it answers another request");
  const sessionKey = members(own.get(0));
  return {
    ticket: {
      client,
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
