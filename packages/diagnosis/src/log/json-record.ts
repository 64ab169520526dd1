/** A log record in JSON as lines of text: its message, and the stack of its exception. */
export function jsonRecord(line: string): string[] | undefined {
  if (!line.startsWith("{") || !line.trimEnd().endsWith("}")) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const message = first(value, ["msg", "message", "short_message", "log", "textPayload", "event"]);
  const stack = stackOf(value);
  if (message === undefined && stack.length === 0) return undefined;
  const text = (message ?? "").replace(/\n$/, "");
  const level = first(value, ["level", "log.level", "severity", "levelname"]) ?? first(member(value, "log"), ["level"]);
  if (level === undefined) return [...text.split("\n"), ...stack];
  const time = first(value, ["ts", "@timestamp", "timestamp", "time", "asctime"]) ?? "";
  const logger = first(value, ["logger", "loggerName", "logger_name", "log.logger", "name"]);
  const [head = "", ...rest] = text.split("\n");
  const record = `${timeText(time)} ${level.toUpperCase()} ${logger === undefined ? "" : `${logger}: `}${head}`;
  return [record, ...rest, ...stack];
}

const NO_TIME = "1970-01-01 00:00:00";

function timeText(time: string): string {
  return /\d\d:\d\d:\d\d/.test(time) ? time : NO_TIME;
}

/**
 * The exception of a record, in the known layouts: Spark's structured logging and log4j2's JsonTemplateLayout (`exception`),
 * JsonLayout (`thrown`), Elastic's ECS (`error.*`), logstash and logback (`stack_trace`), Python's (`exc_info`).
 */
function stackOf(value: unknown): string[] {
  const texts = ["error.stack_trace", "stack_trace", "stackTrace", "stacktrace", "exc_info", "exc_text"];
  const whole =
    first(value, texts) ??
    first(member(value, "error"), ["stack_trace"]) ??
    joined(member(value, "error.stack_trace")) ??
    joined(member(value, "stack_trace"));
  if (whole !== undefined) return whole.trimEnd().split("\n");
  for (const name of ["exception", "thrown", "throwable", "throwableProxy", "error"]) {
    const thrown = member(value, name);
    if (typeof thrown === "string" && /\n\s+at |Traceback \(most/.test(thrown)) return thrown.trimEnd().split("\n");
    const lines = thrownLines(thrown, "");
    if (lines.length > 0) return lines;
  }
  const type = first(value, ["error.type"]);
  return type === undefined
    ? []
    : [`${type}: ${first(value, ["error.message"]) ?? ""}`, "\tat unknown(Unknown Source)"];
}

const MOST_CAUSES = 20;

function thrownLines(thrown: unknown, before: string, depth = 0): string[] {
  const type = first(thrown, ["class", "name", "exception_class", "exceptionType", "className", "type"]);
  if (type === undefined || depth > MOST_CAUSES) return [];
  const message = first(thrown, ["msg", "message", "exception_message", "error.message", "localizedMessage"]);
  const text = first(thrown, ["stacktrace", "stackTrace", "extendedStackTrace", "stack_trace"]);
  if (text !== undefined && text.includes("\n")) return text.trimEnd().split("\n");
  const frames = ["stacktrace", "stackTrace", "extendedStackTrace", "frames"]
    .flatMap((name) => listOf(member(thrown, name)))
    .map(frameText);
  // PySpark's own logger writes Python's exceptions in the same form.
  if (frames.some((frame) => frame.startsWith("  File ")))
    return ["Traceback (most recent call last):", ...frames, ...`${type}: ${message ?? ""}`.split("\n")];
  return [
    ...`${before}${type}${message === undefined ? "" : `: ${message}`}`.split("\n"),
    ...(frames.length === 0 ? ["\tat unknown(Unknown Source)"] : frames),
    ...thrownLines(causeOf(thrown), "Caused by: ", depth + 1),
  ];
}

function causeOf(thrown: unknown): unknown {
  const cause = member(thrown, "cause") ?? member(thrown, "causedBy");
  return member(cause, "exception") ?? cause;
}

function frameText(frame: unknown): string {
  if (typeof frame === "string") return `\tat ${frame.trim().replace(/^at /, "")}`;
  const [type = "unknown", method = "unknown", file = "Unknown Source"] = [
    first(frame, ["class", "cn"]),
    first(frame, ["method", "mn"]),
    first(frame, ["file"]),
  ];
  const line = first(frame, ["line", "ln"]);
  // PySpark's own logger puts a function's name and a path there.
  if (file.endsWith(".py")) return `  File "${file}", line ${line ?? "0"}, in ${method}`;
  return `\tat ${type}.${method}(${file}${line === undefined ? "" : `:${line}`})`;
}

function joined(value: unknown): string | undefined {
  const lines = listOf(value).filter((line) => typeof line === "string");
  return lines.length === 0 ? undefined : lines.join("\n");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}

/** The first of these members that is a text, or a number. */
function first(value: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = member(value, name);
    if (typeof found === "string" && found !== "") return found;
    if (typeof found === "number") return String(found);
  }
  return undefined;
}
