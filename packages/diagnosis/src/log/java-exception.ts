import { logRecord } from "./log-record.ts";

/** A Java exception in a log: its own line, and the lines of its causes. */
export interface JavaException {
  /** `Exception in thread "main" java.lang.IllegalStateException: no input`, and the following lines of the message. */
  readonly head: readonly string[];
  /** `Caused by: …`, from the outermost to the innermost; without causes of suppressed exceptions. */
  readonly causes: readonly string[];
  /** Where the innermost exception was thrown: `at com.example.Job.main(Job.java:12)`. */
  readonly thrownAt: string | undefined;
  /** The line of its head. */
  readonly at: number;
  /** It was logged as a warning, or by code that logs at the end of every driver, so it probably did not end this one. */
  readonly isMinor: boolean;
}

const NAME = String.raw`(?:[\w$]+\.)+[\w$]*(?:Exception|Error|Throwable|Failure|Interrupted|Death)[\w$]*`;
const HEAD = new RegExp(String.raw`^(?:Exception in thread "[^"]*" )?${NAME}(?::.*)?$`);
/** After other words of its line: `ERROR Etl: java.lang.…`, `(TID 3) (10.0.0.7 executor 1): java.lang.…`. */
const HEAD_BEHIND = new RegExp(String.raw`[\s:(]((?:Exception in thread "[^"]*" )?${NAME}(?::.*)?)$`);
// log4j2 adds ` ~[spark-core.jar:4.3.0]` after each frame unless its layout says otherwise (%xEx).
const FRAME = /^\s*at [^\s()]+\([^()]*\)(?: ~?\[[^\]]*\])?\s*$/;
const CAUSE = /^Caused by: /;
const MORE = /^\s*\.\.\. \d+ (?:more|common frames omitted)/;
const REST = /^\s+(?:Suppressed: |Caused by: |\[CIRCULAR REFERENCE)|^Wrapped by: /;
/** Between the message of an aborted job and the stack of the driver (DAGScheduler.abortStage). */
const BETWEEN = /^(?:\s*|Driver stacktrace:)$/;
// A message may continue for lines, but not for pages.
const MOST_HEAD_LINES = 3;
const MOST_MESSAGE_LINES = 40;
const MOST_LINES_BETWEEN = 5;

// Loggers that write when a context ends, and those of threads that only watch.
const MINOR_LOGGERS =
  /^(?:\S*\.)?(?:BlockedThreadChecker|ShutdownHookManager|TransportRequestHandler|TransportChannelHandler|Inbox|ExecutorPodsWatchSnapshotSource|WatchConnectionManager|AbstractWatchManager|TaskSetManager|OneWayOutboxMessage|NettyRpcEnv|ContextCleaner|ExecutorPodsSnapshotsStoreImpl|ExecutorPodsAllocator|LiveListenerBus|AsyncEventQueue|TaskSchedulerImpl)\b/;

/** The exceptions with a stack in a log, in its order. */
export function javaExceptions(lines: readonly string[]): JavaException[] {
  const found: JavaException[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!isFrame(lines[at] ?? "")) continue;
    const head = headBefore(lines, at, found.at(-1));
    const { exception, end } = exceptionAt(lines, head ?? at, at);
    if (head !== undefined) found.push(exception);
    at = Math.max(at, end - 1);
  }
  return found;
}

/**
 * The exception that ended a JVM, as far as its log shows: the last one that left the main thread, else the last important
 * one.
 */
export function javaException(lines: readonly string[]): JavaException | undefined {
  const all = javaExceptions(lines);
  const ofMain = all.findLast(({ head }) => head[0]?.startsWith('Exception in thread "main"'));
  return (
    (ofMain && !isAllSymptom(ofMain) ? ofMain : undefined) ??
    all.findLast((one) => !one.isMinor && !isAllSymptom(one)) ??
    ofMain ??
    all.findLast((one) => !one.isMinor) ??
    all.findLast(
      ({ head }) =>
        !MINOR_LOGGERS.test(logRecord(head[0] ?? "")?.text ?? "") && !(head[0] ?? "").startsWith("io.vertx"),
    )
  );
}

/** Whether the words describe only a consequence of the end, not its reason. */
export function isSymptom(words: string): boolean {
  return /SparkContext (?:was|has been) shut ?down|on a stopped SparkContext|SparkUserAppException|RejectedExecutionException|^(?:Exception in thread "[^"]*" )?java\.lang\.InterruptedException/.test(
    words,
  );
}

/** Whether a record comes from a watching thread, or is one that every driver writes at its end. */
export function isOfTheEnd(text: string): boolean {
  return MINOR_LOGGERS.test(text);
}

function isAllSymptom({ head, causes }: JavaException): boolean {
  return isSymptom([...head.slice(0, 1), ...causes].join("\n"));
}

/** The exception with its head at this line index, in the form that may follow it in a message: Py4J puts `: ` before it. */
export function exceptionFrom(lines: readonly string[], head: number): JavaException | undefined {
  for (let at = head + 1; at < Math.min(lines.length, head + MOST_MESSAGE_LINES); at++) {
    if (isFrame(lines[at] ?? "")) return exceptionAt(lines, head, at).exception;
  }
  return undefined;
}

function isFrame(line: string): boolean {
  return FRAME.test(line) || MORE.test(line);
}

/** The line index where the exception begins; its first frame is at the given index. */
function headBefore(lines: readonly string[], frame: number, before: JavaException | undefined): number | undefined {
  const least = Math.max(before === undefined ? 0 : before.at + 1, frame - MOST_MESSAGE_LINES, 0);
  for (let at = frame - 1; at >= least; at--) {
    const line = lines[at] ?? "";
    if (HEAD.test(line) || (HEAD_BEHIND.test(line) && (at === frame - 1 || logRecord(line) !== undefined))) return at;
    if (isFrame(line)) return undefined;
  }
  return undefined;
}

function exceptionAt(lines: readonly string[], head: number, frame: number): { exception: JavaException; end: number } {
  const causes: string[] = [];
  let thrownAt: string | undefined = lines[frame];
  let at = frame + 1;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (isFrame(line) || REST.test(line)) continue;
    if (CAUSE.test(line)) {
      const first = firstFrame(lines, at + 1);
      causes.push(line);
      if (first === undefined) continue;
      if (FRAME.test(lines[first] ?? "")) thrownAt = lines[first];
      at = first;
    } else {
      const next = behindOthers(lines, at);
      if (next === undefined) break;
      at = next - 1;
    }
  }
  const shown = lines.slice(head, Math.min(frame, head + MOST_HEAD_LINES)).filter((line) => line.trim() !== "");
  const [line = "", ...message] = shown;
  const own = HEAD.test(line) ? line : (HEAD_BEHIND.exec(line)?.[1] ?? line);
  return {
    exception: { head: [own, ...message], causes, thrownAt: thrownAt?.trim(), at: head, isMinor: isMinor(lines, head) },
    end: at,
  };
}

/** The line index where the stack continues after lines that other threads wrote into it, if it does. */
function behindOthers(lines: readonly string[], from: number): number | undefined {
  for (let at = from; at < Math.min(lines.length, from + MOST_LINES_BETWEEN); at++) {
    const line = lines[at] ?? "";
    if (isFrame(line) || CAUSE.test(line)) return at;
    if (!BETWEEN.test(line) && logRecord(line) === undefined) return undefined;
  }
  return undefined;
}

/** Decided by the log record of the exception, in its own line or in the line before. */
function isMinor(lines: readonly string[], head: number): boolean {
  const record = logRecord(lines[head] ?? "") ?? logRecord(lines[head - 1] ?? "");
  return record !== undefined && (/^(?:WARN|DEBUG|TRACE)$/.test(record.level) || MINOR_LOGGERS.test(record.text));
}

function firstFrame(lines: readonly string[], from: number): number | undefined {
  for (let at = from; at < Math.min(lines.length, from + MOST_MESSAGE_LINES); at++) {
    const line = lines[at] ?? "";
    if (isFrame(line)) return at;
    if (CAUSE.test(line) || logRecord(line) !== undefined) return undefined;
  }
  return undefined;
}
