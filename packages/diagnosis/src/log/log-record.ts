/** A line of a logger: log4j in Spark's layout or a site's own, logback, Python's logging. */
export interface LogRecord {
  readonly level: "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR";
  /** The text after the level: logger and message. */
  readonly text: string;
}

// `26/01/01 00:40:00 ERROR Etl: …`, `2026-01-01 00:40:00,123 [main] ERROR c.e.Etl - …`, `[2026-01-01T00:40:00.123Z] INFO …`
const TIME = String.raw`\[?(?:\d{2,4}[-/.]\d\d[-/.]\d\d[ T])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?\]?`;
const LEVEL = String.raw`\[?(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)\]?`;
const RECORD = new RegExp(
  String.raw`^(?:${TIME}[ \t]+(?:[-|] )?(?:\[[^\]]*\] +)?${LEVEL}\b|${LEVEL}[ \t]+${TIME})[ \t]*(.*)$`,
);
// logging.basicConfig of Python
const PYTHON = /^(DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]+:(.*)$/;

/** `undefined` for a line that is not from a logger. */
export function logRecord(line: string): LogRecord | undefined {
  const [, before, behind, text] = RECORD.exec(line) ?? [];
  const [, ofPython, said] = PYTHON.exec(line) ?? [];
  const level = before ?? behind ?? ofPython;
  if (level === undefined) return undefined;
  return { level: usual(level), text: (text ?? said ?? "").replace(/^[-:|] /, "").trim() };
}

function usual(level: string): LogRecord["level"] {
  if (level === "WARNING") return "WARN";
  if (level === "TRACE" || level === "DEBUG" || level === "INFO" || level === "WARN") return level;
  return "ERROR";
}
