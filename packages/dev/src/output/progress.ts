/** The progress of something, in bytes. */
export interface Progress {
  /** Such as `fetching Spark 4.3.0`. */
  readonly what: string;
  readonly done: number;
  readonly total: number | undefined;
}

/** `fetching Spark 4.3.0: 120 of 430 MiB`. */
export function formatProgress({ what, done, total }: Progress): string {
  const mebibytes = (bytes: number): string => String(Math.round(bytes / (1024 * 1024)));
  return total === undefined
    ? `${what}: ${mebibytes(done)} MiB`
    : `${what}: ${mebibytes(done)} of ${mebibytes(total)} MiB`;
}
