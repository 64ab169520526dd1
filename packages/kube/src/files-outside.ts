/** What is read of this machine's disk, and where it is looked for. */
export interface FilesOutside {
  /** Reads a text file; rejects with Node's own error, or another that has its reason as code. */
  readonly readFile: (path: string, signal?: AbortSignal) => Promise<string>;
  readonly homeDir: string;
  /** Where a pod finds its service account. */
  readonly serviceAccountDir: string;
}
