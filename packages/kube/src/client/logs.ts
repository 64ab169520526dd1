/** A container's log; read it as chunks or as lines, once. */
export interface LogStream extends AsyncIterable<Uint8Array> {
  /** Text lines without their line ends; the last one may lack its own. */
  lines(): AsyncIterable<string>;
  /** Stops reading. */
  close(): void;
}
