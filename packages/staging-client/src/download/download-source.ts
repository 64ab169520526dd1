import type { Readable } from "node:stream";

/** The bytes of a file from an offset on. */
export interface DownloadPart {
  readonly body: Readable;
  /** Where the body begins: the requested offset, or 0 if the source cannot or will not continue from there. */
  readonly start: number;
  /** Size of the whole file in bytes, if the source reports it. */
  readonly size: number | undefined;
  /** A strong validator: equal as long as the file is the same. */
  readonly validator: string | undefined;
}

/** The source of a file: a staging server, or anything else that can send its bytes from an offset on. */
export interface DownloadSource {
  /** For messages; never holds a secret. */
  readonly description: string;
  /**
   * @param offset how much of the file is here already
   * @param validator of the version that these bytes come from
   * @throws StagingError
   */
  open(offset: number, validator: string | undefined, signal: AbortSignal): Promise<DownloadPart>;
  /**
   * Reports to the source that its bytes are not the announced ones. Implement this if the source can find out whether
   * the network or its stored file is the cause.
   *
   * @returns whether its stored file is damaged; then fetching it again is of no use
   */
  reportDamage?(signal: AbortSignal): Promise<boolean>;
}
