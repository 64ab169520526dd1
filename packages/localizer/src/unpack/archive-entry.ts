import { quotedName } from "@kindling/core-spec";

/** One entry of an archive, unchanged and not yet checked. */
export interface ArchiveEntry {
  /** As the archive spells it. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Permission bits, and perhaps more. */
  readonly mode: number;
  /** Bytes of content. */
  readonly size: number;
  /** Where a link leads; empty for other kinds. */
  readonly target: string;
  /** The content of a file. It can be read once, and only before the next entry is requested. */
  content(): AsyncIterable<Buffer>;
}

/** Kinds other than these four are refused, by the name that they have here. */
export type EntryKind = "file" | "directory" | "symbolic link" | "hard link" | { readonly refused: string };

/** An archive that cannot be, or must not be, unpacked. */
export class ArchiveFault extends Error {
  readonly #describe: (quoted: (name: string) => string) => string;

  /** @param text what is wrong; if it contains a name from the archive, a function that gets the way to quote names */
  constructor(text: string | ((quoted: (name: string) => string) => string)) {
    const describe = typeof text === "string" ? () => text : text;
    super(describe(quotedName));
    this.#describe = describe;
  }

  /** The message. Secrets are removed from names before these are cut. */
  told(redact: (text: string) => string): string {
    return this.#describe((name) => quotedName(redact(name)));
  }
}
