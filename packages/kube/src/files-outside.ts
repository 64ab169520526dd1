/** Reads a text file; rejects with Node's own error, or with another error that has its reason as `code`. */
export type ReadFile = (path: string, signal?: AbortSignal) => Promise<string>;

/** How files are read from the local disk, and where they are. */
export interface FilesOutside {
  readonly readFile: ReadFile;
  readonly homeDir: string;
  /** Where a pod finds its service account. */
  readonly serviceAccountDir: string;
}
