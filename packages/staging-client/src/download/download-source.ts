import type { Readable } from "node:stream";

/** The bytes of a file from some offset on. */
export interface DownloadPart {
  readonly body: Readable;
  /** Where the body begins: the offset asked for, or 0 where the source cannot or will not go on from there. */
  readonly start: number;
  /** Size of the whole file in bytes, where the source tells. */
  readonly size: number | undefined;
  /** A strong validator: equal as long as the file is the same. */
  readonly validator: string | undefined;
}

/** Where a file comes from: a staging server, or anything else that can give its bytes from an offset on. */
export interface DownloadSource {
  /** For messages; never holds a secret. */
  readonly description: string;
  /**
   * @param offset how much of the file is here already
   * @param validator that of the version which those bytes are of
   * @throws StagingError
   */
  open(offset: number, validator: string | undefined, signal: AbortSignal): Promise<DownloadPart>;
  /**
   * Tells the source that its bytes are not the ones announced. Implement where it can find out whether it was the
   * network or what it has stored.
   *
   * @returns whether what it has stored is damaged; then fetching it again is of no use
   */
  reportDamage?(signal: AbortSignal): Promise<boolean>;
}
