/** A line of a container's log. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Without the line end. */
  readonly text: string;
}

/** The requested part of a log. */
export interface LogQuery {
  /** The log of the run before the last restart. */
  readonly previous: boolean;
  /** Only this many lines at the end. */
  readonly tailLines: number | undefined;
  /** Only lines from this time on, in milliseconds since 1970. */
  readonly since: number | undefined;
  /** Whether to go on with lines as they are written, until the container ends. */
  readonly follow: boolean;
  /** Ends a follow that has no reader any more. */
  readonly signal: AbortSignal;
}

/** Where the API server gets containers' logs from. */
export interface PodLogs {
  /** The lines of a container's log; undefined if there is none (not yet, or no longer). */
  read(
    pod: { namespace: string; name: string; uid: string },
    container: string,
    query: LogQuery,
  ): AsyncIterable<LogLine> | undefined;
}
