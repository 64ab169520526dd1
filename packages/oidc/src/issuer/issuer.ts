import { messageOf } from "@kindling/core-spec";
import { type Clock, within } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { createLocalJWKSet, type JWTVerifyGetKey } from "jose";
import { fetchDocument, type IssuerConnection, withIssuer } from "./fetch-document.ts";
import { documentUrl, type IssuerDocument, issuerDocument, keySetOf } from "./issuer-document.ts";

/** The keys that an issuer published last. */
export interface IssuerKeys {
  readonly keyFor: JWTVerifyGetKey;
  readonly document: IssuerDocument;
  /** Counts the times that keys were read. */
  readonly edition: number;
}

/** An issuer of tokens. */
export interface Issuer {
  readonly url: string;
  /** @throws IssuerUnavailable if there are no keys yet, and none can be had within some seconds */
  keys(): Promise<IssuerKeys>;
  /**
   * Keys that are newer than these, for a token whose key is not among them. The issuer is asked at most once in ten
   * seconds, so that invented names of keys cause no flood.
   *
   * @returns undefined if there are none
   */
  newerThan(keys: IssuerKeys): Promise<IssuerKeys | undefined>;
}

export interface IssuerOptions extends IssuerConnection {
  readonly url: string;
  readonly log: Log;
}

/** The issuer cannot be asked for its keys. The message is one line. */
export class IssuerUnavailable extends Error {
  override readonly name = "IssuerUnavailable";
}

/** After this time the keys are read again, so that a key that the issuer has withdrawn does not count for long. */
const KEPT_MS = 10 * 60_000;
const AGAIN_MS = 10_000;
const AGAIN_AFTER_FAULT_MS = 5_000;
/** How long a client waits for the issuer. */
const PATIENCE_MS = 5_000;

/**
 * Reads the issuer's document and its keys, at once and whenever that is due. No timer runs: requests are what makes it
 * due. While the issuer cannot be reached, the keys that it published last go on counting, as in kube-apiserver.
 */
export function openIssuer(options: IssuerOptions): Issuer {
  const { url, clock, log } = options;
  let known: (IssuerKeys & { readonly at: number }) | undefined;
  let fault: string | undefined;
  let askedAt = -Infinity;
  let asking: Promise<void> | undefined;

  const since = (moment: number): number => clock.monotonic() - moment;

  function ask(): Promise<void> {
    askedAt = clock.monotonic();
    asking ??= readKeys(options)
      .then(
        ({ keyFor, document, count }) => {
          if (known === undefined || fault !== undefined)
            log.info("the issuer's keys were read", { issuer: url, count });
          known = { keyFor, document, edition: (known?.edition ?? 0) + 1, at: clock.monotonic() };
          fault = undefined;
        },
        (error: unknown) => {
          fault = messageOf(error);
          log.warn("the issuer's keys cannot be read", { issuer: url, error: fault });
        },
      )
      .finally(() => (asking = undefined));
    return asking;
  }

  void ask();
  return {
    url,
    async keys() {
      if (known !== undefined) {
        const age = since(known.at);
        if (age > KEPT_MS && since(askedAt) > AGAIN_MS) {
          const asked = ask();
          // Nobody has asked for long: a key of then may have been withdrawn.
          if (age > 2 * KEPT_MS) await soon(clock, asked);
        }
        return known;
      }
      if (asking !== undefined || since(askedAt) > AGAIN_AFTER_FAULT_MS) await soon(clock, asking ?? ask());
      if (known !== undefined) return known;
      throw new IssuerUnavailable(`the issuer ${url} cannot be asked at present: ${fault ?? "it does not answer"}`);
    },
    async newerThan({ edition }) {
      if (asking !== undefined || since(askedAt) > AGAIN_MS) await soon(clock, asking ?? ask());
      return known !== undefined && known.edition > edition ? known : undefined;
    },
  };
}

type ReadKeys = Pick<IssuerKeys, "keyFor" | "document"> & { readonly count: number };

async function readKeys({ url, ...connection }: IssuerOptions): Promise<ReadKeys> {
  return await withIssuer(connection, async (transport) => {
    const document = issuerDocument(await fetchDocument(transport, documentUrl(url)), url);
    const keys = keySetOf(await fetchDocument(transport, document.jwksUri));
    return { keyFor: createLocalJWKSet(keys), document, count: keys.keys.length };
  });
}

async function soon(clock: Clock, work: Promise<void>): Promise<void> {
  await within(clock, PATIENCE_MS, work, () => undefined);
}
