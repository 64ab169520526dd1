import { digestOf, type Digest } from "./digest.ts";

/** What a file is for, so that the program that fetches it knows where it belongs. Readers ignore unknown kinds. */
export type FileKind = "jar" | "file" | "pyFile" | "archive" | "application" | (string & {});

/** One file of a bundle. */
export interface BundleFile {
  /** A relative path with `/` between its parts, unique in the bundle; see `fileNameFault`. */
  readonly name: string;
  readonly kind: FileKind;
  readonly digest: Digest;
  /** In bytes. */
  readonly size: number;
  /** Permission bits, such as 0o644. */
  readonly mode: number;
}

/** The files of a bundle in the canonical order and form, from which its digest is computed. */
export function canonicalManifest(files: readonly BundleFile[]): string {
  return JSON.stringify(
    files
      .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      .map(({ name, kind, digest, size, mode }) => ({ name, kind, digest, size, mode })),
  );
}

/** The digest of a bundle's manifest. It proves that a manifest is the one that was committed. */
export function manifestDigest(files: readonly BundleFile[]): Digest {
  return digestOf(canonicalManifest(files));
}
