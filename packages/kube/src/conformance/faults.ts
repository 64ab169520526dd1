/** What can go wrong with one LIST. */
export type ListFault =
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number }
  /** The connection breaks instead of an answer. */
  | { readonly kind: "reset" }
  /** An answer of success with this text instead of the list. */
  | { readonly kind: "text"; readonly text: string };

/** What can go wrong with one WATCH. Unless something else is said, the stream begins properly. */
export type WatchFault =
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number }
  /** The connection breaks instead of an answer. */
  | { readonly kind: "reset" }
  /** The stream ends at once and without an event. */
  | { readonly kind: "close" }
  /** An ERROR event with a Status of this code, then the end. */
  | { readonly kind: "error-event"; readonly code: number }
  /** Nothing is ever sent after the headers, whatever happens; the connection stays open. */
  | { readonly kind: "silence" }
  /** The first half of the next event is sent, and then nothing. */
  | { readonly kind: "half-then-silence" }
  /** The first half of the next event is sent, and the stream ends as if that were all. */
  | { readonly kind: "half-then-close" }
  /** The first half of the next event is sent, and the connection breaks. */
  | { readonly kind: "half-then-reset" }
  /** A line of this many bytes without an end. */
  | { readonly kind: "endless-line"; readonly bytes: number }
  /** This line first, then the stream continues. */
  | { readonly kind: "line"; readonly line: string }
  /** The stream ends properly after one bookmark. */
  | { readonly kind: "bookmark-then-close" }
  /** Each byte comes on its own. */
  | { readonly kind: "byte-by-byte" };
