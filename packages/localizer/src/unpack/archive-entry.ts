import { quotedName } from "@kindling/core-spec";

/** One entry of an archive, as it stands there; nothing about it has been checked. */
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
  /** The content of a file, once and before the next entry is asked for. */
  content(): AsyncIterable<Buffer>;
}

/** Kinds other than these four are refused, by the name that they have here. */
export type EntryKind = "file" | "directory" | "symbolic link" | "hard link" | { readonly refused: string };

/** An archive that cannot be, or must not be, unpacked. */
export class ArchiveFault extends Error {
  readonly #describe: (quoted: (name: string) => string) => string;

  /** @param text what is wrong; where it names something that stands in the archive, a function of how names are quoted */
  constructor(text: string | ((quoted: (name: string) => string) => string)) {
    const describe = typeof text === "string" ? () => text : text;
    super(describe(quotedName));
    this.#describe = describe;
  }

  /** The message, with secrets taken out of names before these are cut. */
  told(redact: (text: string) => string): string {
    return this.#describe((name) => quotedName(redact(name)));
  }
}
