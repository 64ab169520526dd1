/** A line of a container's log. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Without the line end. */
  readonly text: string;
}

/** Which part of a log is wanted. */
export interface LogQuery {
  /** The log of the run before the last restart. */
  readonly previous: boolean;
  /** Only the last so many lines. */
  readonly tailLines: number | undefined;
  /** Only lines from this time on, in milliseconds since 1970. */
  readonly since: number | undefined;
  /** Whether to go on with lines as they are written, until the container ends. */
  readonly follow: boolean;
  /** Ends a follow that nobody reads any more. */
  readonly signal: AbortSignal;
}

/** Where the API server gets containers' logs from. */
export interface PodLogs {
  /** The lines of a container's log; undefined if there is none (yet, or any more). */
  read(
    pod: { namespace: string; name: string; uid: string },
    container: string,
    query: LogQuery,
  ): AsyncIterable<LogLine> | undefined;
}
