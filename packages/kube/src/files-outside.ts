/** Reads a text file; rejects with Node's own error, or another that has its reason as code. */
export type ReadFile = (path: string, signal?: AbortSignal) => Promise<string>;

/** What is read of this machine's disk, and where it is looked for. */
export interface FilesOutside {
  readonly readFile: ReadFile;
  readonly homeDir: string;
  /** Where a pod finds its service account. */
  readonly serviceAccountDir: string;
}
